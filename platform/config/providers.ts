// Reads which dialect stands behind each slot, and which slots a process calls or takes callbacks of, from its
// environment. No process does both.
import { z } from 'zod';
import { DEFAULT_DIALECTS, DIALECT_NAMES, type DialectName, isOfSandbox } from '../../providers/dialect-names.js';
import { DIALECTS } from '../../providers/dialects.js';
import { PROVIDER_NAMES, type ProviderName } from '../../providers/port.js';
import {
  CALL_FIELDS,
  CALLBACK_FIELDS,
  type CallbackField,
  type CallbacksConfig,
  type CallbackSettings,
  type CallField,
  type CallSettings,
  type FieldsOf,
  type ProvidersConfig,
  type SlotDialects,
  type SteeringConfig,
  type TlsSettings,
} from '../../providers/settings.js';
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../domain/pix.js';
import { readEnvironment } from './environment.js';
import { base64File, pemFile } from './pem-file.js';

const secret = z.string().min(16, 'must have at least 16 characters').max(1_024);
const pixKey = z.string().refine((key) => PIX_KEY_TYPES.some((type) => isPixKeyFormat(type, key)), 'must be a PIX key');
const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
  .refine((text) => !/[?#]/.test(text) && new URL(text).username === '', 'must have no user, query or fragment')
  .transform((text) => text.replace(/\/+$/, ''));

/** `name=value&name=value`, as in an address; null for anything else. */
function pairsOf(text: string): Readonly<Record<string, string>> | null {
  const pairs = [...new URLSearchParams(text)];
  const areNamed = pairs.length > 0 && pairs.every(([name, value]) => name !== '' && value !== '');
  return areNamed && new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : null;
}

/** None that this side sets itself. */
function isHeaders(text: string): boolean {
  return Object.entries(pairsOf(text) ?? { '': '' }).every(
    ([name, value]) =>
      /^[A-Za-z0-9_-]{1,64}$/.test(name) &&
      !/^(authorization|content-.*|host|connection|transfer-encoding)$/i.test(name) &&
      /^[\x20-\x7e]{1,1024}$/.test(value),
  );
}

function isPrefixes(text: string): boolean {
  return Object.entries(pairsOf(text) ?? { '': '' }).every(
    ([name, value]) => /^(cob|cobs|pix|webhook)$/.test(name) && /^(\/[A-Za-z0-9._-]+)+$/.test(value),
  );
}

type FieldName = CallField | CallbackField;

/** How the value of each variable is read. */
const READERS = {
  URL: address,
  CLIENT_ID: z.string().min(1).max(200),
  CLIENT_SECRET: secret,
  PIX_KEY: pixKey,
  TEST_LOCATION_HOSTS: z.string().regex(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, 'must be host names, separated by commas'),
  TLS_CERT_FILE: pemFile,
  TLS_KEY_FILE: pemFile,
  TLS_CA_FILE: pemFile,
  TLS_PFX_FILE: base64File,
  TLS_PFX_PASSWORD: z.string().max(1_024),
  TOKEN_URL: address,
  SCOPES: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be scopes, separated by spaces'),
  CALL_HEADERS: z.string().refine(isHeaders, 'must be headers as name=value, joined by &'),
  CALL_QUERY: z.string().refine((text) => pairsOf(text) !== null, 'must be parameters as name=value, joined by &'),
  PATH_PREFIXES: z
    .string()
    .refine(isPrefixes, 'must be prefixes as cob=/v2, of cob, cobs, pix and webhook, joined by &'),
  CALLBACK_SECRET: secret,
  CALLBACK_CERTIFICATE: z.string().regex(/^[\x20-\x7e]{3,500}$/, 'must be the subject of a certificate'),
  CALLBACK_KEYS_URL: address,
} as const satisfies Readonly<Record<FieldName, z.ZodType<string>>>;

type Read<Field extends FieldName> = (field: Field) => string | undefined;
type Fault = (field: FieldName | 'DIALECT', message: string) => void;
const variable = (name: ProviderName, field: FieldName | 'DIALECT') => `PROVIDER_${name.toUpperCase()}_${field}`;

const DIALECT_VARIABLES = Object.fromEntries(
  PROVIDER_NAMES.map((name) => [variable(name, 'DIALECT'), z.enum(DIALECT_NAMES).optional()]),
) as Record<string, z.ZodOptional<z.ZodType<DialectName>>>;

function variablesOf(fields: readonly FieldName[]) {
  const read = Object.fromEntries(
    PROVIDER_NAMES.flatMap((name) => fields.map((field) => [variable(name, field), READERS[field].optional()])),
  ) as Record<string, z.ZodOptional<z.ZodType<string>>>;
  return z.object({ GATEWAY_ENVIRONMENT: z.string().optional(), ...DIALECT_VARIABLES, ...read });
}

const BANKS = DIALECT_NAMES.filter((name) => !isOfSandbox(name));

type Values = Readonly<Record<string, string | undefined>>;

function dialectOf(values: Values, name: ProviderName): DialectName {
  return (values[variable(name, 'DIALECT')] as DialectName | undefined) ?? DEFAULT_DIALECTS[name];
}

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
}

/** What is set of each slot, if all that its dialect needs is; a fault for each that is missing or too much. */
function configured<Field extends FieldName, Settings>(
  environment: unknown,
  context: z.RefinementCtx,
  fields: readonly Field[],
  fieldsOf: (dialect: DialectName) => FieldsOf<Field>,
  settingsOf: (dialect: DialectName, read: Read<Field>, fault: Fault) => Settings,
): Readonly<Partial<Record<ProviderName, Settings>>> {
  const values = environment as Values;
  const providers: Partial<Record<ProviderName, Settings>> = {};
  for (const name of PROVIDER_NAMES) {
    const read: Read<Field> = (field) => values[variable(name, field)];
    const fault: Fault = (field, message) =>
      context.addIssue({ code: 'custom', path: [variable(name, field)], message });
    const dialect = dialectOf(values, name);
    const { needs, takes } = fieldsOf(dialect);
    // The key alone, which both directions need, is no sign of this one.
    const given = fields.filter((field) => field !== 'PIX_KEY' && read(field) !== undefined);
    if (given.length === 0) continue;
    if (values['GATEWAY_ENVIRONMENT'] === 'production' && isOfSandbox(dialect))
      fault('DIALECT', `must name the dialect of a bank in production: ${BANKS.join(', ')}`);
    const host = hostOf(values[variable(name, 'URL')]);
    const { hosts } = DIALECTS[dialect];
    if (values['GATEWAY_ENVIRONMENT'] !== 'production' && hosts.real.includes(host))
      fault('URL', 'is where real money moves: it must not be used outside production');
    if (values['GATEWAY_ENVIRONMENT'] === 'production' && hosts.test.includes(host))
      fault('URL', 'is a test environment: no money moves there');
    const missing = needs.filter((field) => read(field) === undefined);
    for (const field of missing) fault(field, `is missing, while other settings of provider ${name} are present`);
    for (const field of given)
      if (!needs.includes(field) && !takes.includes(field)) fault(field, `is no setting of the dialect ${dialect}`);
    const settings = settingsOf(dialect, read, fault);
    if (missing.length === 0) providers[name] = Object.freeze(settings);
  }
  return Object.freeze(providers);
}

/**
 * `PROVIDER_{SIMULATOR,A,B}_…` of whoever calls: all that the slot's dialect needs or none. Only for workers that call
 * providers.
 */
export const providersSchema = variablesOf(CALL_FIELDS).transform((environment, context): ProvidersConfig => ({
  providers: configured(environment, context, CALL_FIELDS, (dialect) => DIALECTS[dialect].calls, callSettings),
}));

/**
 * `PROVIDER_{SIMULATOR,A,B}_…` of whoever takes callbacks: all that the slot's dialect needs or none. Nothing that could
 * call a provider in the gateway's name. Only for the ingress.
 */
export const callbacksSchema = variablesOf(CALLBACK_FIELDS).transform((environment, context): CallbacksConfig => ({
  callbacks: configured(
    environment,
    context,
    CALLBACK_FIELDS,
    (dialect) => DIALECTS[dialect].callbacks,
    (dialect, read): CallbackSettings => ({
      dialect,
      pixKey: read('PIX_KEY') ?? null,
      callbackSecret: read('CALLBACK_SECRET') ?? null,
      callbackCertificate: read('CALLBACK_CERTIFICATE') ?? null,
      keysUrl: read('CALLBACK_KEYS_URL') ?? null,
    }),
  ),
}));

/** `PROVIDER_{SIMULATOR,A,B}_DIALECT`: for whoever tells operators what a slot needs. */
export const slotDialectsSchema = z
  .object(DIALECT_VARIABLES)
  .transform(
    (environment): SlotDialects =>
      Object.fromEntries(
        PROVIDER_NAMES.map((name) => [name, dialectOf(environment as Values, name)]),
      ) as unknown as SlotDialects,
  );

/** `SIMULATOR_CONTROL_URL`: where the api of a sandbox steers the simulator. */
export const steeringSchema = z
  .object({ SIMULATOR_CONTROL_URL: address.optional() })
  .transform(({ SIMULATOR_CONTROL_URL }): SteeringConfig => ({ controlUrl: controlRoot(SIMULATOR_CONTROL_URL) }));

function callSettings(dialect: DialectName, read: Read<CallField>, fault: Fault): CallSettings {
  if ((read('TLS_CERT_FILE') === undefined) !== (read('TLS_KEY_FILE') === undefined))
    fault('TLS_CERT_FILE', 'goes with TLS_KEY_FILE');
  if (read('TLS_PFX_FILE') !== undefined && read('TLS_CERT_FILE') !== undefined)
    fault('TLS_PFX_FILE', 'must be absent while TLS_CERT_FILE is set: one certificate is shown');
  const pfx = read('TLS_PFX_FILE');
  const tls: TlsSettings = {
    cert: read('TLS_CERT_FILE'),
    key: read('TLS_KEY_FILE'),
    ca: read('TLS_CA_FILE'),
    pfx: pfx === undefined ? undefined : Buffer.from(pfx, 'base64'),
    passphrase: read('TLS_PFX_PASSWORD'),
  };
  const hosts = read('TEST_LOCATION_HOSTS');
  const givenTls = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  return {
    dialect,
    url: read('URL')!,
    clientId: read('CLIENT_ID') ?? null,
    clientSecret: read('CLIENT_SECRET') ?? '',
    pixKey: read('PIX_KEY')!,
    ...adjustments(read),
    ...(hosts === undefined ? {} : { testLocationHosts: hosts.split(',') }),
    ...(Object.keys(givenTls).length === 0 ? {} : { tls: Object.freeze(givenTls) }),
  };
}

/** What the bank does in another way than its dialect. */
function adjustments(read: Read<CallField>): Partial<CallSettings> {
  const pairs = (field: CallField) => pairsOf(read(field) ?? '');
  const given = {
    tokenUrl: read('TOKEN_URL'),
    scopes: read('SCOPES'),
    callHeaders: pairs('CALL_HEADERS'),
    callQuery: pairs('CALL_QUERY'),
    pathPrefixes: pairs('PATH_PREFIXES'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));
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
