// A separate migrated database for each test (file): a copy of a template that is migrated once per server.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseAccessSql } from '../../prisma/apply-grants.js';
import { deployDatabase, releaseFingerprint } from '../../prisma/deploy.js';
import { letRolesSignIn, type UrlOfRole, urlsOfRoles } from '../../tools/servers/postgres-roles.js';

export interface TestDatabase {
  /** The owner's: for what a test looks at and plants itself. */
  readonly url: string;
  /** A process's own. */
  readonly urlOfRole: UrlOfRole;
  /** Drops it and ends all remaining connections. */
  drop(): Promise<void>;
}

// Serialises the making of the template between test processes.
const TEMPLATE_LOCK_ID = 7_807_001;
const CLOSING_MS = 1_000;

/**
 * Makes a database with every migration applied, in about 100 ms, on the server of `npm test` (TEST_POSTGRES_URL) or
 * the given one.
 */
export async function createTestDatabase(superuserUrl = testPostgresUrl()): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withClient(superuserUrl, async (client) => {
    const template = await ensureTemplate(client, superuserUrl);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // The rights within it are the template's.
    await client.query(databaseAccessSql(name).join(';'));
  });
  const url = withDatabase(superuserUrl, name);
  return {
    url,
    urlOfRole: urlsOfRoles(url, new URL(superuserUrl).password),
    drop: () =>
      withClient(superuserUrl, async (client) => {
        await untilUnused(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/**
 * A pool reports its end before its connections are closed. A connection that the server ends first would fail a later
 * test. What is still connected after a while is somebody else's, and ended by force.
 */
async function untilUnused(client: pg.Client, name: string): Promise<void> {
  const isUsed = async () =>
    (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name])).rowCount !== 0;
  for (const deadline = Date.now() + CLOSING_MS; Date.now() < deadline && (await isUsed());) await sleep(10);
}

/** The superuser's URL of the test server. */
export function testPostgresUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (!url) throw new Error('TEST_POSTGRES_URL is not set: run the tests by `npm test`, or see `npm test -- --serve`.');
  return url;
}

/** The name of the template for the current migrations and functions, made if it is not there yet. */
async function ensureTemplate(client: pg.Client, superuserUrl: string): Promise<string> {
  const template = `template_${createHash('sha256').update(releaseFingerprint()).digest('hex').slice(0, 16)}`;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK_ID]);
  try {
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (existing.rowCount === 0) await makeTemplate(client, superuserUrl, template);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK_ID]);
  }
  return template;
}

/** Renamed only when whole, so that a killed run leaves no half-migrated template. */
async function makeTemplate(client: pg.Client, superuserUrl: string, template: string): Promise<void> {
  const unfinished = `${template}_unfinished`;
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${unfinished}`);
  // Others that use this server at the same time set the same passwords.
  await letRolesSignIn(superuserUrl, new URL(superuserUrl).password);
  await deployDatabase(withDatabase(superuserUrl, unfinished));
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

async function withClient<T>(url: string, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
