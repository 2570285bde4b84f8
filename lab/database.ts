// A database whose time is the run's: functions of the lab answer before PostgreSQL's own for `now()` and its kin, and
// for random ids. Everything else is what a deployment makes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { databaseAccessSql } from '../prisma/apply-grants.js';
import { deployDatabase, releaseFingerprint } from '../prisma/deploy.js';
import { type UrlOfRole, letRolesSignIn, urlsOfRoles } from '../tools/servers/postgres-roles.js';
import { machine } from './machine/machine.js';
import { unwatched } from './machine/statements.js';

/** Ahead of what PostgreSQL offers itself. */
const SEARCH_PATH = 'public, pg_catalog';
const ADVISORY_LOCK_ID = 7_807_002;

// Sequences are read and set outside of transactions: time passes for everybody at once.
const LAB_FUNCTIONS = `
  CREATE SCHEMA lab;
  CREATE SEQUENCE lab.clock_us;
  CREATE SEQUENCE lab.drawn;
  CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    AS 'SELECT pg_catalog.to_timestamp(last_value / 1000000.0) FROM lab.clock_us';
  ${['clock_timestamp', 'statement_timestamp', 'transaction_timestamp']
    .map((name) => `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT public.now()';`)
    .join('\n  ')}
  CREATE FUNCTION public.gen_random_uuid() RETURNS uuid LANGUAGE sql VOLATILE
    AS $$ SELECT md5('lab' || nextval('lab.drawn'))::uuid $$;`;

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
  let setMs = -1;
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    own ??= await connect(url);
    return (await own.query(text, [...values])).rows as Row[];
  };
  const tell = async (ms: number) => {
    await statements.pass(() => query('SELECT setval($1, $2)', ['lab.clock_us', Math.round(ms * 1_000)]));
  };
  // Every statement waits until PostgreSQL knows the time, also one that comes while it is being told.
  let telling: Promise<void> | null = null;
  statements.beforeEach = () => {
    const { nowMs } = clock;
    if (nowMs === setMs) return telling;
    setMs = nowMs;
    const told = tell(nowMs).finally(() => {
      if (telling === told) telling = null;
    });
    return (telling = told);
  };
  const drop = async () => {
    await own?.end();
    own = null;
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return {
    url,
    urlOfRole: urlsOfRoles(url, new URL(superuserUrl).password),
    ask: (text, values) => statements.ask(() => query(text, values), text) as Promise<never[]>,
    query,
    async renew() {
      await drop();
      await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      await server.query(
        [...databaseAccessSql(name), `ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`].join(';'),
      );
      setMs = -1;
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
  const url = withDatabase(superuserUrl, unfinished);
  await letRolesSignIn(superuserUrl, new URL(superuserUrl).password);
  const client = await connect(url);
  await client.query(LAB_FUNCTIONS);
  await client.query('SELECT setval($1, $2)', ['lab.clock_us', machine().clock.nowMs * 1_000]);
  await deployDatabase(url);
  await client.query(MOVE_CLOCKS);
  await client.query(LAB_GRANTS);
  await client.end();
  await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  unwatched.add(client);
  await client.connect();
  return client;
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
