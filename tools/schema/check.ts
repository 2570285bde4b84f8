// Do prisma/migrations give exactly prisma/schema.prisma? Compares a freshly migrated database with the schema. Where
// Prisma's schema engine is installed (by a download that not every machine can make), asks `prisma migrate diff` too.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import pg from 'pg';
import { deployDatabase } from '../../prisma/deploy.js';
import { inRoot, root } from '../bootstrap/root.mjs';
import { readCatalogue } from './catalogue.js';
import { differencesOf } from './compare.js';
import { describedCatalogue } from './datamodel.js';

const CONNECT_TIMEOUT_MS = 10_000;
const PRISMA_TIMEOUT_MS = 120_000;

/** Compares the database at `databaseUrl`, as it is, with the schema. @returns the differences, one line each */
async function compareDatabase(databaseUrl: string): Promise<string[]> {
  const actual = await withClient(databaseUrl, (client) => readCatalogue(client));
  return differencesOf(describedCatalogue(), actual);
}

/** Compares the migrations with the schema, in temporary databases on the server. @returns the differences */
export async function compareMigrations(serverUrl: string): Promise<string[]> {
  const differences = await withTemporaryDatabase(serverUrl, async (url) => {
    await deployDatabase(url);
    return compareDatabase(url);
  });
  if (!hasSchemaEngine()) return differences;
  return [...differences, ...(await withTemporaryDatabase(serverUrl, (url) => Promise.resolve(prismaDiff(url))))];
}

/** Whether Prisma's native schema engine is there. */
export function hasSchemaEngine(): boolean {
  const folder = inRoot('node_modules', '@prisma', 'engines');
  return (
    process.env['PRISMA_SCHEMA_ENGINE_BINARY'] !== undefined ||
    (existsSync(folder) && readdirSync(folder).some((file) => file.startsWith('schema-engine-')))
  );
}

/** Whether the role in `databaseUrl` may make the temporary databases. */
export async function mayCreateDatabases(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ may: boolean }>(
      'SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user',
    );
    return rows[0]?.may === true;
  });
}

/** What `prisma migrate diff` prints when the migrations, applied to an empty database, do not give the schema. */
function prismaDiff(emptyDatabaseUrl: string): string[] {
  const prisma = inRoot('node_modules', 'prisma', 'build', 'index.js');
  const paths = ['--from-migrations', inRoot('prisma', 'migrations'), '--to-schema', inRoot('prisma', 'schema.prisma')];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [prisma, 'migrate', 'diff', ...paths, '--script', '--exit-code'],
    {
      cwd: root,
      env: { ...process.env, SHADOW_DATABASE_URL: emptyDatabaseUrl },
      encoding: 'utf8',
      timeout: PRISMA_TIMEOUT_MS,
    },
  );
  if (status === 0) return [];
  if (status === 2) return [`prisma migrate diff: the migrations lack:\n${stdout}`];
  throw new Error(`prisma migrate diff failed: ${stderr}`);
}

async function withTemporaryDatabase<T>(serverUrl: string, task: (url: string) => Promise<T>): Promise<T> {
  const name = `schema_check_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` });
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  try {
    return await task(url.href);
  } finally {
    await withClient(serverUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

async function withClient<T>(url: string, task: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}
