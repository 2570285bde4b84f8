// The roles of the gateway's processes on a PostgreSQL that is ours: made with passwords that follow from one secret,
// so that its holder can derive each process's URL.
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { administratorSql } from '../../prisma/administrator.js';
import { createRoleSql } from '../../prisma/apply-grants.js';
import { type Role, ROLE_NAMES, roleOfWorker } from '../../prisma/roles.js';
import { DEVELOPMENT_SECRET_MARK } from '../../platform/config/production.js';
import type { ProgramName } from './programs.js';

/** The database's URL for a role. */
export type UrlOfRole = (role: Role) => string;

const CONNECT_TIMEOUT_MS = 5_000;

/** Makes the roles that are missing and lets all of them sign in. Safe to repeat. */
export function letRolesSignIn(superuserUrl: string, secret: string): Promise<void> {
  const statements = ROLE_NAMES.flatMap((role) => [
    createRoleSql(role),
    `ALTER ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${pg.escapeLiteral(passwordOf(role, secret))}`,
  ]);
  return run(superuserUrl, statements.join(';\n'));
}

/** Takes from the roles what only an administrator can take, in the database of the gateway. Safe to repeat. */
export function limitRoles(superuserUrl: string, database: string): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  return run(url.toString(), administratorSql());
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The URLs of roles that {@link letRolesSignIn} made with this secret; `databaseUrl` is anybody's. */
export function urlsOfRoles(databaseUrl: string, secret: string): UrlOfRole {
  return (role) => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = passwordOf(role, secret);
    return url.toString();
  };
}

/** Marked for production to refuse it if the secret is. */
function passwordOf(role: Role, secret: string): string {
  const mark = secret.startsWith(DEVELOPMENT_SECRET_MARK) ? DEVELOPMENT_SECRET_MARK : '';
  return mark + createHmac('sha256', secret).update(role).digest('hex');
}

/** The role of a program of dist/, by the task queues of its environment; undefined: it needs no database. */
export function roleOfProgram(program: ProgramName, environment: Readonly<Record<string, string>>): Role | undefined {
  switch (program) {
    case 'api':
      return 'gateway_api';
    case 'ingress':
      return 'gateway_ingress';
    case 'panel':
      return 'gateway_panel';
    case 'worker':
      return roleOfWorker(environment['WORKER_TASK_QUEUES']);
    case 'sandbox/simulator':
    case 'sandbox/demo-operator':
    case 'lab/bench/baseline':
      return undefined;
  }
}
