// A database whose time is the run's: functions of the lab answer before PostgreSQL's own for `now()` and its kin, and
// for random ids. Everything else is what a deployment makes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { databaseAccessSql } from '../prisma/apply-grants.js';
import { deployDatabase, releaseFingerprint } from '../prisma/deploy.js';
import { type UrlOfRole, letRolesSignIn, urlsOfRoles } from '../tools/servers/postgres-roles.js';
import { machine } from './machine/machine.js';
import { forgetTime, tellTime, unwatched } from './machine/statements.js';

/** Ahead of what PostgreSQL offers itself. */
const SEARCH_PATH = 'public, pg_catalog';
/** A session that is told to end has ended long before. */
const MOST_END_MS = 30_000;
const ADVISORY_LOCK_ID = 7_807_002;

// The time is a setting of the session, told with each statement: a function over it is as cheap as a constant.
const LAB_FUNCTIONS = `
  CREATE SCHEMA lab;
  CREATE SEQUENCE lab.drawn;
  CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT pg_catalog.current_setting('lab.now')::timestamptz $$;
  ${['clock_timestamp', 'statement_timestamp', 'transaction_timestamp']
    .map((name) => `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT public.now()';`)
    .join('\n  ')}
  CREATE FUNCTION public.gen_random_uuid() RETURNS uuid LANGUAGE sql VOLATILE
    AS $$ SELECT md5('lab' || nextval('lab.drawn'))::uuid $$;`;

const timeSql = (ms: number): string => `SET lab.now = '${new Date(ms).toISOString()}'`;

const LAB_GRANTS = `
  GRANT USAGE ON SCHEMA lab TO public;
  GRANT SELECT, USAGE ON ALL SEQUENCES IN SCHEMA lab TO public;
  GRANT EXECUTE ON FUNCTION public.now(), public.clock_timestamp(), public.statement_timestamp(),
    public.transaction_timestamp(), public.gen_random_uuid() TO public;`;

/** Defaults that name PostgreSQL's clock by a keyword, and functions that name the folders they search. */
const MOVE_CLOCKS = `
  DO $$ DECLARE found record; BEGIN
    FOR found IN
      SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT public.now()', attrelid::regclass, attname) AS sql
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_get_expr(adbin, adrelid) = 'CURRENT_TIMESTAMP'
      UNION ALL
      SELECT format('ALTER FUNCTION %s SET search_path = ${SEARCH_PATH}, pg_temp', pg_proc.oid::regprocedure)
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proconfig::text LIKE '%search_path%'
    LOOP EXECUTE found.sql; END LOOP;
  END $$`;

export interface LabDatabase {
  /** The owner's. */
  readonly url: string;
  readonly urlOfRole: UrlOfRole;
  /** A statement of somebody in the world outside, while time goes on. */
  ask<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A statement of the judge's, while the world stands still. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Resolves when PostgreSQL has ended these sessions and undone what they had not committed. */
  endSessions(pids: readonly number[]): Promise<void>;
  /** Empties it for the next run: as deployed. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database of this process on that server. */
export async function openLabDatabase(superuserUrl: string): Promise<LabDatabase> {
  const server = await connect(superuserUrl);
  const template = await ensureTemplate(server, superuserUrl);
  const name = `lab_${process.pid}`;
  const url = withDatabase(superuserUrl, name);
  let own: pg.Client | null = null;
  const { clock, statements } = machine();
  let [nowMs, nowSql] = [-1, ''];
  statements.timeSql = () => {
    if (clock.nowMs !== nowMs) [nowMs, nowSql] = [clock.nowMs, timeSql(clock.nowMs)];
    return nowSql;
  };
  statements.waitingForLock = async (pids) => {
    const sql = 'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid = ANY ($1)';
    return (await server.query(sql, [pids])).rowCount ?? 0;
  };
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const session = (own ??= await connect(url));
    tellTime(session, statements.timeSql(), text, (...told) => session.query(...told));
    try {
      return (await session.query(text, [...values])).rows as Row[];
    } catch (error) {
      forgetTime(session);
      throw error;
    }
  };
  const pid = () => (own as { processID?: number } | null)?.processID ?? null;
  const drop = async () => {
    await own?.end();
    own = null;
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return {
    url,
    urlOfRole: urlsOfRoles(url, new URL(superuserUrl).password),
    ask: (text, values) => statements.ask(() => query(text, values), text, pid) as Promise<never[]>,
    query,
    async endSessions(pids) {
      await server.query('SELECT pg_terminate_backend(pid, $2) FROM unnest($1::integer[]) AS pid', [pids, MOST_END_MS]);
    },
    async renew() {
      await drop();
      await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      await server.query(
        [...databaseAccessSql(name), `ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`].join(';'),
      );
    },
    async close() {
      await drop();
      await server.end();
    },
  };
}

async function ensureTemplate(server: pg.Client, superuserUrl: string): Promise<string> {
  const digest = createHash('sha256')
    .update(releaseFingerprint())
    .update(readFileSync(new URL(import.meta.url)));
  const template = `lab_template_${digest.digest('hex').slice(0, 16)}`;
  await server.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
  try {
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(server, superuserUrl, template);
  } finally {
    await server.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK_ID]);
  }
  return template;
}

/** Renamed only when whole, so that a killed search leaves no half template. */
async function makeTemplate(server: pg.Client, superuserUrl: string, template: string): Promise<void> {
  const unfinished = `${template}_unfinished`;
  await server.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${unfinished}`);
  await server.query(`ALTER DATABASE ${unfinished} SET search_path = ${SEARCH_PATH}`);
  await server.query(timeSql(machine().clock.nowMs).replace('SET', `ALTER DATABASE ${unfinished} SET`));
  const url = withDatabase(superuserUrl, unfinished);
  await letRolesSignIn(superuserUrl, new URL(superuserUrl).password);
  const client = await connect(url);
  await client.query(LAB_FUNCTIONS);
  await deployDatabase(url);
  await client.query(MOVE_CLOCKS);
  await client.query(LAB_GRANTS);
  await client.end();
  await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig);
  unwatched.add(client);
  await client.connect();
  return client;
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
