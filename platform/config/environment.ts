// One way to read a process's configuration: a zod schema over its environment, one clear error naming the variable.
import { z } from 'zod';
import { DEFAULT_DEPLOYMENT_NAME, DEPLOYMENT_NAME } from '../../contract/temporal/workers.js';
import { issueMessage } from '../../domain/issue-messages.js';
import { readDatabaseUrl } from './database-url.js';
import { readNetwork } from './network.js';
import { type ConfigurationProblem, type ProcessKind, productionProblems } from './production.js';
import { completeEnvironment } from './secret-files.js';

/** Configuration is wrong; `message` names each variable and what it should be. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Parses and freezes; in production also checks what production refuses. Empty variables count as absent, secrets may
 * come from files. Throws ConfigurationError with everything that is wrong.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
  process: ProcessKind = 'other',
): Readonly<z.output<Schema>> {
  const { environment: present, problems } = completeEnvironment(environment);
  const parsed = schema.safeParse(present, { error: issueMessage });
  const invalid =
    parsed.error?.issues.map(({ path, message }) => ({ variable: path[0]?.toString() ?? 'configuration', message })) ??
    [];
  refuse([...problems, ...invalid, ...productionProblems(present, process)]);
  if (!parsed.success) throw parsed.error;
  return Object.freeze(parsed.data);
}

/** Throws one ConfigurationError for all problems; nothing without any. */
function refuse(problems: readonly ConfigurationProblem[]): void {
  if (problems.length === 0) return;
  throw new ConfigurationError(
    `configuration: ${problems.map(({ variable, message }) => `${variable}: ${message}`).join('; ')}`,
  );
}

type Outputs<Parts extends Readonly<Record<string, z.ZodType>>> = { [Name in keyof Parts]: z.output<Parts[Name]> };

/** Reads several schemas from one environment at once, so that the error names the faults of all of them. */
export function combined<Parts extends Readonly<Record<string, z.ZodType>>>(parts: Parts) {
  return z.unknown().transform((environment, context): Outputs<Parts> => {
    const results = Object.entries(parts).map(
      ([name, part]) => [name, part.safeParse(environment, { error: issueMessage })] as const,
    );
    for (const { path, message } of results.flatMap(([, { error }]) => error?.issues ?? []))
      context.addIssue({ code: 'custom', path, message });
    if (results.some(([, { success }]) => !success)) return z.NEVER;
    return Object.fromEntries(results.map(([name, { data }]) => [name, data])) as Outputs<Parts>;
  });
}

/** A TCP port with a default. */
export const port = (byDefault: number) => z.coerce.number().int().min(0).max(65_535).default(byDefault);

/** Connections of a process to PostgreSQL, with the default of its kind. */
export const poolSize = (byDefault: number) => z.coerce.number().int().min(1).max(200).default(byDefault);

/** How long a stopping process keeps serving while it reports not ready, so that the edge stops sending first. */
export const drainSeconds = z.coerce.number().min(0).max(300).optional();
const PRODUCTION_DRAIN_SECONDS = 5;

/** As given; without it, as long as the edge needs in production, and no time in a sandbox. */
export const drainSecondsOf = (given: number | undefined, environment: 'sandbox' | 'production') =>
  given ?? (environment === 'production' ? PRODUCTION_DRAIN_SECONDS : 0);

/** A TCP port that is not opened without its variable. */
export const optionalPort = z.coerce.number().int().min(0).max(65_535).optional();

const networkOrName = z.string().refine(
  (text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .every((item) => readNetwork(item) !== null || /^[A-Za-z0-9_.-]*$/.test(item)),
  'must be names, addresses and networks, separated by commas',
);

/** The variables that every process with a Postgres connection needs. */
export const sharedSchema = z.object({
  GATEWAY_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  /** The password may be a separate variable, DATABASE_PASSWORD, in which nothing has to be encoded. */
  DATABASE_URL: z.string().superRefine((text, context) => {
    const read = readDatabaseUrl(text);
    if ('fault' in read) context.addIssue({ code: 'custom', message: read.fault });
  }),
  /** The role of this process, for a DATABASE_URL without a user (secret-files.ts puts it into the URL). */
  DATABASE_USER: z.string().optional(),
  /** Files of DATABASE_URL's TLS, which these verify to the host's name (secret-files.ts puts them into the URL). */
  DATABASE_TLS_CA_FILE: z.string().optional(),
  DATABASE_TLS_CERT_FILE: z.string().optional(),
  DATABASE_TLS_KEY_FILE: z.string().optional(),
  DATABASE_POOL_SIZE: poolSize(20),
  /** The deployment that every worker belongs to, for all task queues. */
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(DEPLOYMENT_NAME, 'must be 1 to 63 letters, digits, hyphens or underscores')
    .default(DEFAULT_DEPLOYMENT_NAME),
  /** Hosts or networks that production may reach without TLS (plain-hops.ts). */
  GATEWAY_PRIVATE_HOSTS: networkOrName.default(''),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});
