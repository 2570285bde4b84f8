// Secrets from files: a secret X may be given as X_FILE, the path of a file that holds it, as container platforms do.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConfigurationProblem } from './production.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that hold a secret. Each may come from a file: the variable `<name>_FILE` holds its path. */
export const SECRET_VARIABLES = new RegExp(
  `^(${[
    'DATABASE_PASSWORD',
    'TEMPORAL_API_KEY',
    'PANEL_OIDC_CLIENT_SECRET',
    'ALERT_(WEBHOOK_SECRET|SMTP_PASSWORD|PAGER_KEY)',
    'GATEWAY_(SEALING_KEYS|HASH_KEY|AUDIT_KEY|AUDIT_SEALS_SECRET_KEY)',
    'PROVIDER_[A-Z0-9_]+_(CLIENT_SECRET|CALLBACK_SECRET|TLS_PFX_PASSWORD|CALL_HEADERS|CALL_QUERY)',
  ].join('|')})$`,
);
const FILE_SUFFIX = '_FILE';

export interface CompleteEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** Files that cannot be read, secrets given twice. The values themselves are never repeated. */
  readonly problems: readonly ConfigurationProblem[];
}

/**
 * The environment as the schemas read it: empty variables are absent, secrets come from their files, and
 * `DATABASE_USER`, `DATABASE_PASSWORD` and the files of `DATABASE_TLS_…` are part of `DATABASE_URL`.
 */
export function completeEnvironment(given: Environment): CompleteEnvironment {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined && value !== '') environment[name] = value;
  const problems = [
    ...readSecretFiles(environment),
    ...insertUser(environment),
    ...insertPassword(environment),
    ...insertTls(environment),
  ];
  return { environment, problems };
}

function readSecretFiles(environment: Record<string, string>): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  for (const [variable, path] of Object.entries(environment)) {
    const secret = variable.endsWith(FILE_SUFFIX) ? variable.slice(0, -FILE_SUFFIX.length) : '';
    if (!SECRET_VARIABLES.test(secret)) continue;
    if (environment[secret] !== undefined)
      problems.push({ variable, message: `must be absent while ${secret} is set` });
    const value = readSecret(path);
    if (value === undefined) problems.push({ variable, message: 'must name a readable file that is not empty' });
    else environment[secret] = value;
  }
  return problems;
}

/** Editors and `echo` end a file with a line break, which is not part of the secret. */
function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch {
    return undefined;
  }
}

/** One URL for all processes, and the role of each. */
function insertUser(environment: Record<string, string>): ConfigurationProblem[] {
  const { DATABASE_USER: user, DATABASE_URL: text } = environment;
  if (user === undefined || text === undefined || !URL.canParse(text)) return [];
  const url = new URL(text);
  if (url.username !== '')
    return [{ variable: 'DATABASE_USER', message: 'must be absent while DATABASE_URL names a user' }];
  url.username = encodeURIComponent(user);
  environment['DATABASE_URL'] = url.href;
  return [];
}

/** A password of any characters, where one inside a URL has to be percent-encoded. */
function insertPassword(environment: Record<string, string>): ConfigurationProblem[] {
  const { DATABASE_PASSWORD: password, DATABASE_URL: text } = environment;
  if (password === undefined || text === undefined || !URL.canParse(text)) return [];
  const url = new URL(text);
  if (url.password !== '')
    return [{ variable: 'DATABASE_PASSWORD', message: 'must be absent while DATABASE_URL holds a password' }];
  if (url.username === '')
    return [
      { variable: 'DATABASE_URL', message: 'must name a user (or DATABASE_USER), whose password is DATABASE_PASSWORD' },
    ];
  // The setter leaves a % as it is, which the driver would decode.
  url.password = encodeURIComponent(password);
  environment['DATABASE_URL'] = url.href;
  return [];
}

/** PostgreSQL's own names for the files (libpq), in the URL, so that every client that uses it verifies the server. */
const TLS_PARAMETERS: Readonly<Record<string, string>> = {
  DATABASE_TLS_CA_FILE: 'sslrootcert',
  DATABASE_TLS_CERT_FILE: 'sslcert',
  DATABASE_TLS_KEY_FILE: 'sslkey',
};

/** TLS that checks the server's authority and name. */
function insertTls(environment: Record<string, string>): ConfigurationProblem[] {
  const given = Object.entries(TLS_PARAMETERS).filter(([variable]) => environment[variable] !== undefined);
  const { DATABASE_URL: text } = environment;
  if (given.length === 0 || text === undefined || !URL.canParse(text)) return [];
  const problems = given
    .filter(([variable]) => readSecret(environment[variable] as string) === undefined)
    .map(([variable]) => ({ variable, message: 'must name a readable PEM file' }));
  if ((environment['DATABASE_TLS_CERT_FILE'] === undefined) !== (environment['DATABASE_TLS_KEY_FILE'] === undefined))
    problems.push({ variable: 'DATABASE_TLS_CERT_FILE', message: 'goes with DATABASE_TLS_KEY_FILE: both or neither' });
  const url = new URL(text);
  if ([...url.searchParams.keys()].some((name) => name.startsWith('ssl')))
    problems.push({ variable: 'DATABASE_URL', message: 'must have no ssl… parameter beside DATABASE_TLS_… variables' });
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) !== 0)
    problems.push({ variable: 'DATABASE_URL', message: 'must name the host of a TLS connection, not its address' });
  url.searchParams.set('sslmode', 'verify-full');
  for (const [variable, parameter] of given) url.searchParams.set(parameter, environment[variable] as string);
  environment['DATABASE_URL'] = url.href;
  return problems;
}
