// Reads which providers a process talks to, and how, from its environment.
import { z } from 'zod';
import type { PixApiProviderConfig, ProvidersConfig } from '../../providers/pix-api/config.js';
import { PROVIDER_NAMES, type ProviderName } from '../../providers/port.js';
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../domain/pix.js';
import { readEnvironment } from './environment.js';
import { pemFile } from './pem-file.js';

const secret = z.string().min(16, 'must have at least 16 characters').max(1_024);
const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
  .refine((text) => !/[?#]/.test(text) && new URL(text).username === '', 'must have no user, query or fragment')
  .transform((text) => text.replace(/\/+$/, ''));

/** The variables of one provider, without the `PROVIDER_<NAME>_` in front. */
const FIELDS = {
  URL: address,
  CLIENT_ID: z.string().min(1).max(200),
  CLIENT_SECRET: secret,
  PIX_KEY: z.string().refine((key) => PIX_KEY_TYPES.some((type) => isPixKeyFormat(type, key)), 'must be a PIX key'),
  CALLBACK_SECRET: secret,
  TLS_CERT_FILE: pemFile.optional(),
  TLS_KEY_FILE: pemFile.optional(),
  TLS_CA_FILE: pemFile.optional(),
} as const;
const REQUIRED_TOGETHER = ['URL', 'CLIENT_ID', 'CLIENT_SECRET', 'PIX_KEY', 'CALLBACK_SECRET'] as const;

type FieldName = keyof typeof FIELDS;
const variable = (name: ProviderName, field: FieldName) => `PROVIDER_${name.toUpperCase()}_${field}`;

const providerVariables = Object.fromEntries(
  PROVIDER_NAMES.flatMap((name) =>
    (Object.keys(FIELDS) as FieldName[]).map((field) => [variable(name, field), FIELDS[field].optional()]),
  ),
) as Record<string, z.ZodOptional<z.ZodType<string | undefined>>>;

/**
 * `PROVIDER_{SIMULATOR,A,B}_{URL,CLIENT_ID,CLIENT_SECRET,PIX_KEY,CALLBACK_SECRET}`: all of a provider's or none;
 * optional `_TLS_CERT_FILE`, `_TLS_KEY_FILE`, `_TLS_CA_FILE` (PEM) for mTLS; `SIMULATOR_CONTROL_URL` (sandbox only).
 */
export const providersSchema = z
  .object({ SIMULATOR_CONTROL_URL: address.optional(), ...providerVariables })
  .transform((environment, context): ProvidersConfig => {
    const values = environment as Readonly<Record<string, string | undefined>>;
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const providers: Partial<Record<ProviderName, PixApiProviderConfig>> = {};
    for (const name of PROVIDER_NAMES) {
      const read = (field: FieldName) => values[variable(name, field)];
      if (REQUIRED_TOGETHER.every((field) => read(field) === undefined)) continue;
      const missing = REQUIRED_TOGETHER.filter((field) => read(field) === undefined);
      for (const field of missing)
        fault(variable(name, field), `is missing, while other settings of provider ${name} are present`);
      if ((read('TLS_CERT_FILE') === undefined) !== (read('TLS_KEY_FILE') === undefined))
        fault(variable(name, 'TLS_CERT_FILE'), 'goes with TLS_KEY_FILE');
      if (missing.length === 0) providers[name] = Object.freeze(settingsOf(read));
    }
    return { providers: Object.freeze(providers), controlUrl: controlRoot(environment.SIMULATOR_CONTROL_URL) };
  });

function settingsOf(read: (field: FieldName) => string | undefined): PixApiProviderConfig {
  const tls = { cert: read('TLS_CERT_FILE'), key: read('TLS_KEY_FILE'), ca: read('TLS_CA_FILE') };
  const givenTls = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  return {
    url: read('URL')!,
    clientId: read('CLIENT_ID')!,
    clientSecret: read('CLIENT_SECRET')!,
    pixKey: read('PIX_KEY')!,
    callbackSecret: read('CALLBACK_SECRET')!,
    ...(Object.keys(givenTls).length === 0 ? {} : { tls: Object.freeze(givenTls) }),
  };
}

/** `http://host:port` and `http://host:port/control` both mean the control interface. */
function controlRoot(url: string | undefined): string | null {
  if (url === undefined) return null;
  return new URL(url).pathname === '/' ? `${url}/control` : url;
}

/** Throws a ConfigurationError that names every variable at fault. */
export function readProvidersConfig(environment: NodeJS.ProcessEnv): Readonly<ProvidersConfig> {
  return readEnvironment(providersSchema, environment);
}
