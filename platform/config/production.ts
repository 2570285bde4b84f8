// What production refuses to start with, as data. Every process and every `gateway` command checks this table first. No
// dependencies but plain-hops.ts, because the command loads it before anything else.
import { plainHops } from './plain-hops.js';

/** Prefix of each key that `npm start` makes (`dev:k1:<base64>`), so that production can refuse development keys. */
export const DEVELOPMENT_KEY_MARK = 'dev:';
/** Prefix of each password and secret that `npm start` makes. */
export const DEVELOPMENT_SECRET_MARK = 'dev_';

export interface ConfigurationProblem {
  readonly variable: string;
  readonly message: string;
}

/** The needs of a process in addition to the common ones. */
export type ProcessKind = 'api' | 'ingress' | 'panel' | 'command' | 'worker' | 'other';

type Environment = Readonly<Record<string, string | undefined>>;

interface Refusal {
  readonly variables: RegExp;
  /** What is wrong with a value that is set; `undefined` if nothing is. Never repeats the value. */
  readonly fault: (value: string) => string | undefined;
}

const https = (value: string) => (value.startsWith('https://') ? undefined : 'must be an https address in production');
const keyText = (value: string) => value.split(',').map((item) => item.slice(item.lastIndexOf(':') + 1));
/** 32 random bytes have about 30 different values; an example or a pattern has few. */
const LEAST_DIFFERENT_BYTES = 16;

/**
 * The prefix lengths of the widest private networks that there are. Wider entries trust strangers, and a few of them
 * together trust everybody: 0.0.0.0/1 with 128.0.0.0/1.
 */
const WIDEST_TRUSTED = { IPv4: 8, IPv6: 7 } as const;
/** IPv6 has all of IPv4 in ::ffff:0:0/96: the same width there. */
const WIDEST_MAPPED = 96 + WIDEST_TRUSTED.IPv4;

/** Whether an entry of a list of networks is wider than any private network. A name or an address is not. */
function isTooWide(entry: string): boolean {
  const [, address = '', length] = /^([^/]*)\/(\d+)$/.exec(entry) ?? [];
  if (length === undefined) return false;
  if (!address.includes(':')) return Number(length) < WIDEST_TRUSTED.IPv4;
  const isMapped = /^(::|0+:)/.test(address);
  return Number(length) < (isMapped ? WIDEST_MAPPED : WIDEST_TRUSTED.IPv6);
}

const REFUSALS: readonly Refusal[] = [
  {
    variables: /^GATEWAY_(SEALING_KEYS|HASH_KEY|AUDIT_KEY)$/,
    fault: (value) =>
      value.split(',').some((item) => item.trim().startsWith(DEVELOPMENT_KEY_MARK))
        ? 'holds a key that "npm start" made for development'
        : undefined,
  },
  {
    variables: /^GATEWAY_(SEALING_KEYS|HASH_KEY|AUDIT_KEY)$/,
    fault: (value) =>
      keyText(value).some((text) => new Set(Buffer.from(text, 'base64')).size < LEAST_DIFFERENT_BYTES)
        ? 'holds a key that is not random'
        : undefined,
  },
  {
    variables: /^DATABASE_URL$/,
    fault: (value) =>
      URL.canParse(value) && new URL(value).password.startsWith(DEVELOPMENT_SECRET_MARK)
        ? 'holds a password that "npm start" made for development'
        : undefined,
  },
  {
    variables: new RegExp(
      '^(PROVIDER_[A-Z0-9_]+_(CLIENT_SECRET|CALLBACK_SECRET|TLS_PFX_PASSWORD)|PANEL_OIDC_CLIENT_SECRET|' +
        'TEMPORAL_API_KEY|GATEWAY_VAULT_TOKEN|GATEWAY_AUDIT_SEALS_SECRET_KEY|' +
        'ALERT_(WEBHOOK_SECRET|SMTP_PASSWORD|PAGER_KEY))$',
    ),
    fault: (value) =>
      value.startsWith(DEVELOPMENT_SECRET_MARK) ? 'is a secret that "npm start" made for development' : undefined,
  },
  {
    variables: /^PROVIDER_[A-Z0-9_]+_CALL_(HEADERS|QUERY)$/,
    fault: (value) =>
      [...new URLSearchParams(value).values()].some((text) => text.startsWith(DEVELOPMENT_SECRET_MARK))
        ? 'holds a secret that "npm start" made for development'
        : undefined,
  },
  { variables: /^PROVIDER_SIMULATOR_/, fault: () => 'must be absent in production: the simulator moves no money' },
  {
    variables: /^(SIMULATOR_CONTROL_URL|WEBHOOK_SANDBOX_NETWORKS)$/,
    fault: () => 'must be absent in production',
  },
  {
    variables: /^SANDBOX_(DEPOSITS|WITHDRAWALS)_PER_PLAYER_AND_HOUR$/,
    fault: () => 'must be absent in production: the limit there is the specification’s',
  },
  {
    variables: /^PROVIDER_[A-Z0-9_]+_TEST_LOCATION_HOSTS$/,
    fault: () => 'must be absent in production: it is for codes that cannot be paid with real money',
  },
  {
    variables: /^NODE_TLS_REJECT_UNAUTHORIZED$/,
    fault: (value) => (value === '0' ? 'must not be 0 in production: no server would have to prove itself' : undefined),
  },
  {
    variables: /^NODE_OPTIONS$/,
    fault: (value) =>
      /(^|[\s"])--?(debug|inspect)/.test(value)
        ? 'must open no debugger in production: whoever reaches it reads every secret'
        : undefined,
  },
  {
    variables:
      /^(PROVIDER_[A-Z0-9_]+_URL|GATEWAY_(DOCS|VAULT|AUDIT_SEALS)_URL|PANEL_OIDC_ISSUER|ALERT_(WEBHOOK|PAGER)_URL)$/,
    fault: https,
  },
  {
    variables: /^(TRUSTED_PROXIES|GATEWAY_PRIVATE_HOSTS)$/,
    fault: (value) =>
      value.split(',').some((entry) => isTooWide(entry.trim()))
        ? 'must not trust every address, nor any network wider than 10.0.0.0/8 or fc00::/7'
        : undefined,
  },
];

/** The secrets that a production process must not hold, because it does not need them. */
interface Excess {
  readonly of: (process: ProcessKind, environment: Environment) => boolean;
  readonly variables: RegExp;
  readonly message: string;
}

interface Need {
  readonly of: (process: ProcessKind, environment: Environment) => boolean;
  readonly variable: string;
  readonly isMet: (environment: Environment) => boolean;
  readonly message: string;
}

const isSet = (variable: string) => (environment: Environment) => (environment[variable] ?? '') !== '';
const isAnySet = (environment: Environment, names: RegExp) =>
  Object.keys(environment).some((name) => names.test(name) && isSet(name)(environment));
const ofApi = (process: ProcessKind) => process === 'api';
const ofPanel = (process: ProcessKind) => process === 'panel';
/** Those behind the panel's edge. */
const servesStaff = (process: ProcessKind) => process === 'panel' || process === 'command';
const ofWorker = (process: ProcessKind) => process === 'worker';
const servesProviders = ({ WORKER_TASK_QUEUES: queues }: Environment) =>
  queues === undefined || queues.split(',').some((queue) => /^(payments|provider.*)$/.test(queue.trim()));

const serves =
  (name: string) =>
  (process: ProcessKind, { WORKER_TASK_QUEUES: queues }: Environment) =>
    process === 'worker' && (queues === undefined || queues.split(',').some((queue) => queue.trim() === name));
const servesPayments = serves('payments');
const servesWebhooks = serves('webhooks');

const takesCallbacks = (process: ProcessKind) => process === 'ingress';
const callsProviders = (process: ProcessKind, environment: Environment) =>
  process === 'worker' && servesProviders(environment);
const takesCallbacksOfCertificates = (process: ProcessKind, environment: Environment) =>
  takesCallbacks(process) && isAnySet(environment, /^PROVIDER_[A-Z0-9_]+_CALLBACK_CERTIFICATE$/);
const isProcess = (process: ProcessKind) => process !== 'other';

const EXCESSES: readonly Excess[] = [
  {
    of: (process, environment) => isProcess(process) && !callsProviders(process, environment),
    variables:
      /^PROVIDER_[A-Z0-9_]+_(CLIENT_SECRET|CLIENT_ID|TLS_CERT_FILE|TLS_KEY_FILE|TLS_PFX_FILE|TLS_PFX_PASSWORD|CALL_HEADERS|CALL_QUERY)$/,
    message: 'must be absent here: only workers that call providers hold what pays',
  },
  {
    of: (process) => isProcess(process) && !takesCallbacks(process),
    variables: /^PROVIDER_[A-Z0-9_]+_CALLBACK_(SECRET|CERTIFICATE)$/,
    message: 'must be absent here: only the ingress takes callbacks',
  },
  {
    of: (process, environment) => isProcess(process) && !servesPayments(process, environment),
    variables: /^GATEWAY_AUDIT_(KEY|SEALS_SECRET_KEY)$/,
    message: 'must be absent here: only workers of the payments seal the audit trail',
  },
  {
    of: (process) => isProcess(process) && !ofPanel(process),
    variables: /^PANEL_OIDC_CLIENT_SECRET$/,
    message: 'must be absent here: only the panel signs people in',
  },
  {
    of: (process, environment) => isProcess(process) && !servesWebhooks(process, environment),
    variables: /^ALERT_(WEBHOOK_SECRET|SMTP_PASSWORD|PAGER_KEY)$/,
    message: 'must be absent here: only workers of the webhooks send alerts on',
  },
];

const NEEDS: readonly Need[] = [
  {
    of: servesStaff,
    variable: 'TRUSTED_PROXIES',
    isMet: isSet('TRUSTED_PROXIES'),
    message: 'must name the panel’s TLS edge in production: without it everybody has the edge’s address',
  },
  {
    of: servesStaff,
    variable: 'TRUSTED_PROXY_HEADER',
    isMet: isSet('TRUSTED_PROXY_HEADER'),
    message: 'must name the header in which the edge writes the client’s address',
  },
  {
    of: ofApi,
    variable: 'TRUSTED_PROXIES',
    isMet: isSet('TRUSTED_PROXIES'),
    message:
      'must name the TLS edge in production: without it every caller has the edge’s address, and no allowlist can hold',
  },
  {
    of: ofApi,
    variable: 'TRUSTED_PROXY_HEADER',
    isMet: isSet('TRUSTED_PROXY_HEADER'),
    message: 'must name the header in which the edge writes the client’s address',
  },
  {
    of: ofApi,
    variable: 'TRUSTED_CERTIFICATE_HEADER',
    isMet: isSet('TRUSTED_CERTIFICATE_HEADER'),
    message: 'must name the header in which the edge writes the operation of the client’s certificate',
  },
  {
    of: ofApi,
    variable: 'GATEWAY_DOCS_URL',
    isMet: isSet('GATEWAY_DOCS_URL'),
    message: 'must be set in production: errors name it as their type',
  },
  {
    of: ofWorker,
    variable: 'WORKER_BUILD_ID',
    isMet: isSet('WORKER_BUILD_ID'),
    message: 'must name the build in production: without it a deploy gives payments that are under way to other code',
  },
  {
    of: ofWorker,
    variable: 'WORKER_TASK_QUEUES',
    isMet: isSet('WORKER_TASK_QUEUES'),
    message: 'must name the queues in production: without it one process serves all and holds every key',
  },
  {
    of: takesCallbacksOfCertificates,
    variable: 'TRUSTED_PROXIES',
    isMet: isSet('TRUSTED_PROXIES'),
    message: 'must name the TLS edge in production: it alone says which certificate a provider showed',
  },
  {
    of: ofApi,
    variable: 'PROVIDER_A_DIALECT',
    isMet: (environment) => isAnySet(environment, /^PROVIDER_(?!SIMULATOR_)[A-Z0-9_]+_DIALECT$/),
    message:
      'or another slot’s must name the bank behind it in production: what operators are asked for follows from it',
  },
  {
    of: callsProviders,
    variable: 'PROVIDER_A_URL',
    isMet: (environment) => isAnySet(environment, /^PROVIDER_(?!SIMULATOR_)[A-Z]+(_ACCOUNT_[A-Z0-9]+)?_URL$/),
    message: 'or another provider’s settings must be there in production: without a provider nothing can be paid',
  },
  {
    of: takesCallbacks,
    variable: 'PROVIDER_A_CALLBACK_SECRET',
    isMet: (environment) => isAnySet(environment, /^PROVIDER_(?!SIMULATOR_)[A-Z0-9_]+_CALLBACK_(SECRET|CERTIFICATE)$/),
    message: 'or another provider’s must be there in production: without it no callback is believed',
  },
  {
    of: servesWebhooks,
    variable: 'ALERT_WEBHOOK_URL',
    isMet: (environment) => isAnySet(environment, /^ALERT_(WEBHOOK_URL|EMAIL_TO|PAGER_KEY)$/),
    message: 'or ALERT_EMAIL_TO or ALERT_PAGER_KEY must be there in production: alerts of abuse are sent on',
  },
];

/** Everything that production refuses in this environment, all at once; nothing outside production. */
export function productionProblems(environment: Environment, process: ProcessKind): ConfigurationProblem[] {
  if (environment['GATEWAY_ENVIRONMENT'] !== 'production') return [];
  const present = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const refused = present.flatMap(([variable, value]) =>
    REFUSALS.filter(({ variables }) => variables.test(variable)).flatMap(({ fault }) => {
      const message = fault(value);
      return message === undefined ? [] : [{ variable, message }];
    }),
  );
  const excess = EXCESSES.filter(({ of }) => of(process, environment)).flatMap(({ variables, message }) =>
    present.filter(([variable]) => variables.test(variable)).map(([variable]) => ({ variable, message })),
  );
  const missing = NEEDS.filter((need) => need.of(process, environment) && !need.isMet(environment)).map(
    ({ variable, message }) => ({ variable, message }),
  );
  return [...refused, ...excess, ...missing, ...plainHops(environment)];
}
