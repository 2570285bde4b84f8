// Reads which providers a process calls, or whose callbacks it takes, from its environment. No process does both.
import { z } from 'zod';
import type {
  CallbacksConfig,
  PixApiProviderConfig,
  ProvidersConfig,
  SteeringConfig,
} from '../../providers/pix-api/config.js';
import { PROVIDER_NAMES, type ProviderName } from '../../providers/port.js';
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../domain/pix.js';
import { readEnvironment } from './environment.js';
import { pemFile } from './pem-file.js';

const secret = z.string().min(16, 'must have at least 16 characters').max(1_024);
const pixKey = z.string().refine((key) => PIX_KEY_TYPES.some((type) => isPixKeyFormat(type, key)), 'must be a PIX key');
const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
  .refine((text) => !/[?#]/.test(text) && new URL(text).username === '', 'must have no user, query or fragment')
  .transform((text) => text.replace(/\/+$/, ''));

/** The variables of one provider, without the `PROVIDER_<NAME>_` in front: of whoever calls it. */
const CALL_FIELDS = {
  URL: address,
  CLIENT_ID: z.string().min(1).max(200),
  CLIENT_SECRET: secret,
  PIX_KEY: pixKey,
  TLS_CERT_FILE: pemFile.optional(),
  TLS_KEY_FILE: pemFile.optional(),
  TLS_CA_FILE: pemFile.optional(),
} as const;
/** Of whoever takes its callbacks. */
const CALLBACK_FIELDS = { PIX_KEY: pixKey, CALLBACK_SECRET: secret } as const;
const NEEDED_TO_CALL = ['URL', 'CLIENT_ID', 'CLIENT_SECRET', 'PIX_KEY'] as const;
const NEEDED_FOR_CALLBACKS = ['PIX_KEY', 'CALLBACK_SECRET'] as const;

type FieldName = keyof typeof CALL_FIELDS | keyof typeof CALLBACK_FIELDS;
type Read = (field: FieldName) => string | undefined;
const variable = (name: ProviderName, field: FieldName) => `PROVIDER_${name.toUpperCase()}_${field}`;

function variablesOf(fields: Readonly<Partial<Record<FieldName, z.ZodType<string | undefined>>>>) {
  const entries = Object.entries(fields) as [FieldName, z.ZodType<string | undefined>][];
  return Object.fromEntries(
    PROVIDER_NAMES.flatMap((name) => entries.map(([field, schema]) => [variable(name, field), schema.optional()])),
  ) as Record<string, z.ZodOptional<z.ZodType<string | undefined>>>;
}

/** What is set of each provider, if all that is needed is; a fault for each that is missing. */
function configured<Settings>(
  environment: unknown,
  context: z.RefinementCtx,
  needed: readonly FieldName[],
  settingsOf: (read: Read, fault: (field: FieldName, message: string) => void) => Settings,
): Readonly<Partial<Record<ProviderName, Settings>>> {
  const values = environment as Readonly<Record<string, string | undefined>>;
  const providers: Partial<Record<ProviderName, Settings>> = {};
  for (const name of PROVIDER_NAMES) {
    const read: Read = (field) => values[variable(name, field)];
    const fault = (field: FieldName, message: string) =>
      context.addIssue({ code: 'custom', path: [variable(name, field)], message });
    // The key alone, which both directions need, is no sign of this one.
    if (needed.every((field) => field === 'PIX_KEY' || read(field) === undefined)) continue;
    const missing = needed.filter((field) => read(field) === undefined);
    for (const field of missing) fault(field, `is missing, while other settings of provider ${name} are present`);
    const settings = settingsOf(read, fault);
    if (missing.length === 0) providers[name] = Object.freeze(settings);
  }
  return Object.freeze(providers);
}

/**
 * `PROVIDER_{SIMULATOR,A,B}_{URL,CLIENT_ID,CLIENT_SECRET,PIX_KEY}`: all of a provider's or none; optional
 * `_TLS_CERT_FILE`, `_TLS_KEY_FILE`, `_TLS_CA_FILE` (PEM) for mTLS. Only for workers that call providers.
 */
export const providersSchema = z
  .object(variablesOf(CALL_FIELDS))
  .transform((environment, context): ProvidersConfig => ({
    providers: configured(environment, context, NEEDED_TO_CALL, (read, fault) => {
      if ((read('TLS_CERT_FILE') === undefined) !== (read('TLS_KEY_FILE') === undefined))
        fault('TLS_CERT_FILE', 'goes with TLS_KEY_FILE');
      return settingsOf(read);
    }),
  }));

/**
 * `PROVIDER_{SIMULATOR,A,B}_{PIX_KEY,CALLBACK_SECRET}`: both of a provider's or none. Nothing that could call a
 * provider in the gateway's name. Only for the ingress.
 */
export const callbacksSchema = z
  .object(variablesOf(CALLBACK_FIELDS))
  .transform((environment, context): CallbacksConfig => ({
    callbacks: configured(environment, context, NEEDED_FOR_CALLBACKS, (read) => ({
      pixKey: read('PIX_KEY')!,
      callbackSecret: read('CALLBACK_SECRET')!,
    })),
  }));

/** `SIMULATOR_CONTROL_URL`: where the api of a sandbox steers the simulator. */
export const steeringSchema = z
  .object({ SIMULATOR_CONTROL_URL: address.optional() })
  .transform(({ SIMULATOR_CONTROL_URL }): SteeringConfig => ({ controlUrl: controlRoot(SIMULATOR_CONTROL_URL) }));

function settingsOf(read: Read): PixApiProviderConfig {
  const tls = { cert: read('TLS_CERT_FILE'), key: read('TLS_KEY_FILE'), ca: read('TLS_CA_FILE') };
  const givenTls = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  return {
    url: read('URL')!,
    clientId: read('CLIENT_ID')!,
    clientSecret: read('CLIENT_SECRET')!,
    pixKey: read('PIX_KEY')!,
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

/** Throws a ConfigurationError that names every variable at fault. */
export function readCallbacksConfig(environment: NodeJS.ProcessEnv): Readonly<CallbacksConfig> {
  return readEnvironment(callbacksSchema, environment);
}

/** Throws a ConfigurationError that names every variable at fault. */
export function readSteeringConfig(environment: NodeJS.ProcessEnv): Readonly<SteeringConfig> {
  return readEnvironment(steeringSchema, environment);
}
