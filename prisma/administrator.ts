// What only an administrator of the server can set for the gateway's database (administrator.sql), and what is not set.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { projectRoot } from '../platform/config/project-root.js';
import { ROLE_NAMES } from './roles.js';

/** The statements, for a superuser in the gateway's database. */
export function administratorSql(): string {
  return readFileSync(join(projectRoot(), 'prisma', 'administrator.sql'), 'utf8');
}

/**
 * Sets it, if the client is a superuser's. @returns in words for people, what is still open to the gateway's roles and
 * only an administrator can close
 */
export async function applyAdministratorSql(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'SELECT rolsuper FROM pg_roles WHERE rolname = current_user',
  );
  if (rows[0]?.rolsuper === true) await client.query(administratorSql());
  return openToRoles(client);
}

async function openToRoles(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT what FROM (VALUES
       (1, 'large objects', has_function_privilege('public', 'lo_create(oid)', 'EXECUTE')),
       (2, 'advisory locks', has_function_privilege('public', 'pg_advisory_lock(bigint)', 'EXECUTE')),
       (3, 'sessions without limits', EXISTS (
         SELECT FROM pg_roles WHERE rolname = ANY ($1)
           AND coalesce(array_to_string(rolconfig, ','), '') !~ 'lock_timeout='))
     ) AS found (position, what, is_open) WHERE is_open ORDER BY position`,
    [ROLE_NAMES],
  );
  return rows.map(({ what }) => what);
}
