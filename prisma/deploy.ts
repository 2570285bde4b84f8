// Brings a database up to this release: migrations first, then the functions whose files changed, then what each role
// may do.
import { join } from 'node:path';
import pg from 'pg';
import { projectRoot } from '../platform/config/project-root.js';
import { administratorSql, applyAdministratorSql } from './administrator.js';
import { applyFunctions, readFunctions } from './apply-functions.js';
import { applyGrants } from './apply-grants.js';
import { applyMigrations, readMigrations } from './apply-migrations.js';
import { type Environment, READS, TABLE_GRANTS } from './grants.js';
import { FUNCTION_GRANTS } from './grants/functions.js';
import { type Role, ROLES } from './roles.js';

/** What a deployment changed, by name; the first two are empty when the database was up to date. */
export interface DeploymentResult {
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
  /** Missing roles that the owner may not create: a person must create them and deploy again. */
  readonly missingRoles: readonly Role[];
  /** What the roles still may, because only an administrator of the server can forbid it (administrator.sql). */
  readonly openToRoles: readonly string[];
}

export interface DeployOptions {
  /** A sandbox's roles may do more (prisma/grants.ts). */
  readonly environment?: Environment;
  /** How long new passkeys, people and roles wait (docs/operating.md, Staff); by default by the environment. */
  readonly waitHours?: number;
  /** Where migrations and functions are; this release's by default. */
  readonly folder?: string;
}

// Prisma Migrate takes the same advisory lock.
const PRISMA_LOCK_ID = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
// Another process may be in the middle of a long migration.
const LOCK_TIMEOUT_MS = 120_000;

/**
 * Applies the migrations and functions that the database does not have yet, and all grants. Safe to run from several
 * processes at once: one applies, the others wait and find nothing to do.
 *
 * Throws {@link MigrationError} when a migration or a function fails, or when an applied migration was edited.
 */
export async function deployDatabase(
  databaseUrl: string,
  { environment = 'sandbox', waitHours = WAIT_HOURS[environment], folder = releaseFolder() }: DeployOptions = {},
): Promise<DeploymentResult> {
  const { migrations, functions } = readRelease(folder);
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'gateway-migrations',
  });
  await client.connect();
  try {
    await takeLock(client);
    const deployed = {
      migrations: await applyMigrations(client, migrations),
      functions: await applyFunctions(client, functions),
      missingRoles: await applyGrants(client, environment),
      openToRoles: await applyAdministratorSql(client),
    };
    await applyPolicy(client, environment, waitHours);
    return deployed;
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

/** A day in production, so that every admin can act on the alerts; no time in a sandbox. */
const WAIT_HOURS: Readonly<Record<Environment, number>> = { sandbox: 0, production: 24 };

/** What the database asks of people. A change of it is in the audit trail. */
async function applyPolicy(client: pg.Client, environment: Environment, waitHours: number): Promise<void> {
  // A test's folder of migrations may have no such table.
  await client.query(`
    DO $$ BEGIN
      IF to_regclass('public.staff_policy') IS NULL THEN RETURN; END IF;
      UPDATE staff_policy SET environment = ${pg.escapeLiteral(environment)}, wait_hours = ${waitHours}, since = now()
      WHERE (environment, wait_hours) IS DISTINCT FROM (${pg.escapeLiteral(environment)}, ${waitHours});
      IF FOUND THEN
        PERFORM append_audit(NULL, now(), 'migration', 'staff.policy', NULL, NULL,
          ${pg.escapeLiteral(JSON.stringify({ environment, wait_hours: waitHours }))});
      END IF;
    END $$`);
}

/** One string that changes with every migration, function and grant of `folder`, and with the administrator's part. */
export function releaseFingerprint(folder = releaseFolder()): string {
  const { migrations, functions } = readRelease(folder);
  const grants = JSON.stringify([ROLES, READS, TABLE_GRANTS, FUNCTION_GRANTS]);
  return [...[...migrations, ...functions].map(({ checksum }) => checksum), grants, administratorSql()].join();
}

function readRelease(folder: string) {
  return {
    migrations: readMigrations(join(folder, 'migrations')),
    functions: readFunctions(join(folder, 'functions')),
  };
}

function releaseFolder(): string {
  return join(projectRoot(), 'prisma');
}

async function takeLock(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('SELECT pg_advisory_lock($1::bigint)', [PRISMA_LOCK_ID]);
  await client.query('SET lock_timeout = 0');
}
