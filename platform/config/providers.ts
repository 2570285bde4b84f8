// Reads which dialect each account at a provider speaks, and which accounts a process calls or takes callbacks
// of, from its environment. No process does both.
import { z } from 'zod';
import { issueMessage } from '../../domain/issue-messages.js';
import { isAmount, parseAmountMinor } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import {
  DIALECT_NAMES,
  type DialectName,
  isOfSandbox,
  type AccountDialects,
  accountVariable,
  CALL_FIELDS,
  CALLBACK_FIELDS,
  type CallbackField,
  type CallbacksConfig,
  type CallbackSettings,
  type CallField,
  type CallSettings,
  type FieldsOf,
  LIMIT_FIELDS,
  type LimitField,
  type LimitsOfAccounts,
  type ProvidersConfig,
  type SteeringConfig,
  type TlsSettings,
} from '../../providers/settings.js';
import { DIALECTS } from '../../providers/index.js';
import type { AccountLimits, AmountLimits } from '../../providers/port.js';
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../domain/pix.js';
import { readEnvironment } from './environment.js';
import { base64File, pemFile } from './pem-file.js';
import { accountsIn, dialectOf, type Fault, faultOf, slotVariables, type Values } from './provider-accounts.js';

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

/** Whether these are headers that the gateway does not set itself. */
function isHeaders(text: string): boolean {
  const pairs = Object.entries(pairsOf(text) ?? { '': '' });
  if (new Set(pairs.map(([name]) => name.toLowerCase())).size < pairs.length) return false;
  return pairs.every(
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

type ReadField<Field extends FieldName> = (field: Field) => string | undefined;

/** Variables of own accounts have no fixed names: the reading finds them. */
function variablesOf(fields: readonly FieldName[]) {
  const variables = slotVariables(['DIALECT', ...fields], z.string().optional());
  return z.looseObject({ GATEWAY_ENVIRONMENT: z.string().optional(), ...variables });
}

const BANKS = DIALECT_NAMES.filter((name) => !isOfSandbox(name));

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
}

/** The account's variables, read; a fault for each that has no value of its kind. */
function valuesOf<Field extends FieldName>(
  values: Values,
  account: AccountName,
  fields: readonly Field[],
  fault: Fault,
): ReadField<Field> {
  const read = fields.map((field): [Field, string | undefined] => {
    const given = values[accountVariable(account, field)];
    const parsed = READERS[field].optional().safeParse(given, { error: issueMessage });
    for (const { message } of parsed.error?.issues ?? []) fault(field, message);
    return [field, parsed.success ? parsed.data : given];
  });
  const byField = new Map(read);
  return (field) => byField.get(field);
}

/**
 * The settings of each account that has all that its dialect needs, and a fault for each missing or superfluous
 * variable.
 */
function configured<Field extends FieldName, Settings>(
  environment: unknown,
  context: z.RefinementCtx,
  fields: readonly Field[],
  fieldsOf: (dialect: DialectName) => FieldsOf<Field>,
  settingsOf: (dialect: DialectName, read: ReadField<Field>, fault: Fault) => Settings,
): Readonly<Partial<Record<AccountName, Settings>>> {
  const values = environment as Values;
  const accounts: Partial<Record<AccountName, Settings>> = {};
  for (const account of accountsIn(values, context)) {
    const fault = faultOf(account, context);
    const dialect = dialectOf(values, account, fault);
    const read = valuesOf(values, account, fields, fault);
    const { needs, takes } = fieldsOf(dialect);
    // The key alone, which both directions need, is no sign of this one.
    const given = fields.filter((field) => field !== 'PIX_KEY' && read(field) !== undefined);
    if (given.length === 0) continue;
    checkEnvironment(values, account, dialect, fault);
    const missing = needs.filter((field) => read(field) === undefined);
    for (const field of missing) fault(field, `is missing, while other settings of provider ${account} are present`);
    for (const field of given)
      if (!needs.includes(field) && !takes.includes(field)) fault(field, `is no setting of the dialect ${dialect}`);
    const settings = settingsOf(dialect, read, fault);
    if (missing.length === 0) accounts[account] = Object.freeze(settings);
  }
  return Object.freeze(accounts);
}

/** Real money stays out of a sandbox, and a sandbox's dialects and addresses out of production. */
function checkEnvironment(values: Values, account: AccountName, dialect: DialectName, fault: Fault): void {
  const isProduction = values['GATEWAY_ENVIRONMENT'] === 'production';
  const host = hostOf(values[accountVariable(account, 'URL')]);
  const { hosts } = DIALECTS[dialect];
  if (isProduction && isOfSandbox(dialect))
    fault('DIALECT', `must name the dialect of a bank in production: ${BANKS.join(', ')}`);
  if (isProduction && hosts.test.includes(host)) fault('URL', 'is a test environment: no money moves there');
  if (!isProduction && hosts.real.includes(host))
    fault('URL', 'is where real money moves: it must not be used outside production');
}

/**
 * `PROVIDER_{SIMULATOR,A,B}_…` for processes that call providers: all that the account's dialect needs, or none. Only
 * for workers.
 */
export const providersSchema = variablesOf(CALL_FIELDS).transform((environment, context): ProvidersConfig => ({
  providers: configured(environment, context, CALL_FIELDS, (dialect) => DIALECTS[dialect].calls, callSettings),
}));

/**
 * `PROVIDER_{SIMULATOR,A,B}_…` for the process that takes callbacks: all that the account's dialect needs, or none.
 * Nothing that could call a provider in the gateway's name. Only for the ingress.
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

/**
 * `PROVIDER_{SIMULATOR,A,B}_DIALECT`, and those of own accounts, for processes that report to operators what their
 * provider needs.
 */
export const accountDialectsSchema = z
  .looseObject(slotVariables(['DIALECT'], z.string().optional()))
  .transform((environment, context): AccountDialects => {
    const values = environment as Values;
    return Object.fromEntries(
      accountsIn(values, context).map((account) => [account, dialectOf(values, account, faultOf(account, context))]),
    ) as unknown as AccountDialects;
  });

/** `PROVIDER_{SIMULATOR,A,B}_{DEPOSIT,WITHDRAWAL}_{MIN,MAX}_MINOR`, and those of own accounts. Only for the api. */
export const accountLimitsSchema = z
  .looseObject(slotVariables(LIMIT_FIELDS, z.string().optional()))
  .transform((environment, context): LimitsOfAccounts => {
    const values = environment as Values;
    return Object.fromEntries(
      accountsIn(values, context).map((account) => [account, limitsOf(values, account, faultOf(account, context))]),
    );
  });

function limitsOf(values: Values, account: AccountName, fault: Fault): AccountLimits {
  const read = (field: LimitField) => {
    const text = values[accountVariable(account, field)];
    if (text === undefined) return null;
    if (isAmount(text)) return parseAmountMinor(text);
    fault(field, 'must be an amount in minor units, for example 100 for R$ 1,00');
    return null;
  };
  const between = (kind: 'DEPOSIT' | 'WITHDRAWAL'): AmountLimits => {
    const limits = { minMinor: read(`${kind}_MIN_MINOR`), maxMinor: read(`${kind}_MAX_MINOR`) };
    if (limits.minMinor !== null && limits.maxMinor !== null && limits.minMinor > limits.maxMinor)
      fault(`${kind}_MIN_MINOR`, `must not be above ${accountVariable(account, `${kind}_MAX_MINOR`)}`);
    return limits;
  };
  return { deposit: between('DEPOSIT'), withdrawal: between('WITHDRAWAL') };
}

/** `SIMULATOR_CONTROL_URL`: where the api of a sandbox steers the simulator. */
export const steeringSchema = z
  .object({ SIMULATOR_CONTROL_URL: address.optional() })
  .transform(({ SIMULATOR_CONTROL_URL }): SteeringConfig => ({ controlUrl: controlRoot(SIMULATOR_CONTROL_URL) }));

function callSettings(dialect: DialectName, read: ReadField<CallField>, fault: Fault): CallSettings {
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

/** The settings in which the bank differs from its dialect. */
function adjustments(read: ReadField<CallField>): Partial<CallSettings> {
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
