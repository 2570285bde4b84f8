// How a process reaches Temporal: address, namespace, TLS, and how it authenticates (a client certificate or an API
// key). Any of the TLS variables, or an API key, turns TLS on.
import { z } from 'zod';
import { pemFile } from './pem-file.js';

const variables = z.object({
  TEMPORAL_ADDRESS: z.string().regex(/^[^\s:]+:\d+$/, 'must be host:port'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /**
   * TLS with the authorities that the system trusts, such as for Temporal Cloud. plain-hops.ts reads the same words.
   */
  TEMPORAL_TLS: z
    .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'must be true or false' })
    .optional(),
  /** The authority of the server's certificate, if the system does not trust it already. */
  TEMPORAL_TLS_CA_FILE: pemFile.optional(),
  /** The name in the server's certificate, where it is not the host of TEMPORAL_ADDRESS. */
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).max(253).optional(),
  TEMPORAL_TLS_CERT_FILE: pemFile.optional(),
  TEMPORAL_TLS_KEY_FILE: pemFile.optional(),
  TEMPORAL_API_KEY: z.string().min(1).max(10_000).optional(),
});
type Variables = z.output<typeof variables>;

/** A Temporal server and namespace, as every process connects to it. */
export interface TemporalConfig {
  readonly address: string;
  readonly namespace: string;
  readonly apiKey: string | undefined;
  /** `undefined` for a plain connection. */
  readonly tls: TemporalTls | undefined;
}

export interface TemporalTls {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}

export const temporalSchema = variables.superRefine(refuseHalves).transform(temporalOf);

function refuseHalves(given: Variables, context: z.RefinementCtx): void {
  const fault = (variable: keyof Variables, message: string) =>
    context.addIssue({ code: 'custom', path: [variable], message });
  if ((given.TEMPORAL_TLS_CERT_FILE === undefined) !== (given.TEMPORAL_TLS_KEY_FILE === undefined))
    fault('TEMPORAL_TLS_CERT_FILE', 'goes with TEMPORAL_TLS_KEY_FILE: both or neither');
  if (given.TEMPORAL_TLS === false && usesTls({ ...given, TEMPORAL_TLS: undefined }))
    fault('TEMPORAL_TLS', 'must not be false while another TEMPORAL_TLS_… variable or TEMPORAL_API_KEY is set');
}

function usesTls({ TEMPORAL_ADDRESS: _address, TEMPORAL_NAMESPACE: _namespace, ...rest }: Variables): boolean {
  return Object.values(rest).some((value) => value !== undefined && value !== false);
}

function temporalOf(given: Variables): TemporalConfig {
  return {
    address: given.TEMPORAL_ADDRESS,
    namespace: given.TEMPORAL_NAMESPACE,
    apiKey: given.TEMPORAL_API_KEY,
    tls: usesTls(given) ? tlsOf(given) : undefined,
  };
}

function tlsOf({
  TEMPORAL_TLS_CA_FILE: authority,
  TEMPORAL_TLS_SERVER_NAME: name,
  TEMPORAL_TLS_CERT_FILE: certificate,
  TEMPORAL_TLS_KEY_FILE: key,
}: Variables): TemporalTls {
  return {
    ...(name === undefined ? {} : { serverNameOverride: name }),
    ...(authority === undefined ? {} : { serverRootCACertificate: Buffer.from(authority) }),
    ...(certificate === undefined || key === undefined
      ? {}
      : { clientCertPair: { crt: Buffer.from(certificate), key: Buffer.from(key) } }),
  };
}
