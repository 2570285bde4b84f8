// Grants the database roles what prisma/grants.ts lists, and revokes everything else from them and from PUBLIC.
import pg from 'pg';
import { type Environment, mayExecute, mentioned, rightsOn, TABLE_GRANTS } from './grants.js';
import { FUNCTION_GRANTS } from './grants/functions.js';
import { type Role, ROLE_NAMES } from './roles.js';
import { failureOf } from './sql-file.js';

const ident = (name: string) => pg.escapeIdentifier(name);
const list = (names: readonly string[]) => names.map(ident).join(', ');

interface Table {
  readonly name: string;
  readonly columns: string[];
  /** Sequences of its columns. */
  readonly sequences: string[];
}

/**
 * Creates missing roles, if it may, and sets the rights of all existing ones: in one transaction, on every deployment,
 * because roles can be added later. The caller holds the lock. @returns the roles that a person must create
 */
export async function applyGrants(client: pg.Client, environment: Environment): Promise<Role[]> {
  const missing = await createRoles(client, ROLE_NAMES);
  const roles = ROLE_NAMES.filter((role) => !missing.includes(role));
  const statements = [
    ...(await databaseStatements(client, roles)),
    ...(await revokingStatements(client, roles)),
    ...tableStatements(await readTables(client), roles, environment),
    ...functionStatements(await readFunctionNames(client), roles),
  ];
  try {
    await client.query(['BEGIN', ...statements, 'COMMIT'].join(';\n'));
  } catch (error) {
    await client.query('ROLLBACK');
    throw failureOf('the grants of prisma/grants.ts', error);
  }
  return missing;
}

/**
 * Roles belong to the whole server: another deployment may create them at the same moment. @returns the missing ones,
 * if the owner may not create roles
 */
export async function createRoles<Name extends string>(client: pg.Client, names: readonly Name[]): Promise<Name[]> {
  const { rows } = await client.query<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE rolname = ANY ($1)', [
    names,
  ]);
  const missing = names.filter((role) => !rows.some(({ rolname }) => rolname === role));
  if (missing.length === 0) return [];
  const { rows: rights } = await client.query<{ may: boolean }>(
    'SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user',
  );
  if (rights[0]?.may !== true) return missing;
  for (const role of missing) await client.query(createRoleSql(role));
  return [];
}

/** Without a password: the deployment decides how processes sign in. */
export function createRoleSql(role: string): string {
  return `DO $$ BEGIN
    CREATE ROLE ${ident(role)} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;
}

/** The roles may connect. Nobody may create temporary tables, which could hide others. A copy does not keep this. */
export function databaseAccessSql(database: string, roles: readonly string[] = ROLE_NAMES): string[] {
  return [
    `REVOKE ALL ON DATABASE ${ident(database)} FROM PUBLIC`,
    ...(roles.length === 0 ? [] : [`GRANT CONNECT ON DATABASE ${ident(database)} TO ${list(roles)}`]),
  ];
}

/** Only what the owner of the database and its schema may grant. */
async function databaseStatements(client: pg.Client, roles: readonly Role[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; owns_database: boolean; owns_schema: boolean }>(`
    SELECT datname AS name, pg_has_role(datdba, 'USAGE') AS owns_database,
      (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'public') AS owns_schema
    FROM pg_database WHERE datname = current_database()`);
  const [{ name, owns_database, owns_schema } = { name: '', owns_database: false, owns_schema: false }] = rows;
  return [
    ...(owns_database ? databaseAccessSql(name, roles) : []),
    ...(owns_schema ? ['REVOKE ALL ON SCHEMA public FROM PUBLIC'] : []),
    ...(owns_schema && roles.length > 0 ? [`GRANT USAGE ON SCHEMA public TO ${list(roles)}`] : []),
  ];
}

/** Revokes on what the owner owns: the schema may hold an extension of another owner. */
async function revokingStatements(client: pg.Client, roles: readonly Role[]): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(`
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || oid::regclass::text AS what FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') AND pg_has_role(relowner, 'USAGE')
    UNION ALL
    SELECT 'FUNCTION ' || oid::regprocedure::text FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND pg_has_role(proowner, 'USAGE')`);
  const from = ['PUBLIC', ...roles.map(ident)].join(', ');
  return [
    ...rows.map(({ what }) => `REVOKE ALL ON ${what} FROM ${from}`),
    // Nobody may call a new function until the grants list it.
    'ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC',
  ];
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name,
       ARRAY (
         SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum
       ) AS columns,
       ARRAY (
         SELECT s.relname::text FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
         WHERE d.classid = 'pg_class'::regclass AND d.refobjid = c.oid AND d.deptype IN ('a', 'i')
       ) AS sequences
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1) ORDER BY 1`,
    [Object.keys(TABLE_GRANTS)],
  );
  return rows;
}

function tableStatements(tables: readonly Table[], roles: readonly Role[], environment: Environment): string[] {
  return tables.flatMap((table) => {
    for (const name of (TABLE_GRANTS[table.name] ?? []).flatMap(mentioned))
      if (!table.columns.includes(name)) throw new Error(`prisma/grants.ts: ${table.name} has no column ${name}`);
    return roles.flatMap((role) => statementsOf(table, role, environment));
  });
}

function statementsOf({ name, columns, sequences }: Table, role: Role, environment: Environment): string[] {
  const { select, insert, update, ...more } = rightsOn(name, columns, role, environment);
  const verbs = [
    ...(select === 'all' ? ['SELECT'] : select.length === 0 ? [] : [`SELECT (${list(select)})`]),
    ...(insert ? ['INSERT'] : []),
    ...(update.length === 0 ? [] : [`UPDATE (${list(update)})`]),
    ...(more.delete ? ['DELETE'] : []),
  ];
  if (verbs.length === 0) return [];
  return [
    `GRANT ${verbs.join(', ')} ON ${ident(name)} TO ${ident(role)}`,
    ...(insert ? sequences.map((sequence) => `GRANT USAGE ON SEQUENCE ${ident(sequence)} TO ${ident(role)}`) : []),
  ];
}

async function readFunctionNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1) ORDER BY 1`,
    [Object.keys(FUNCTION_GRANTS)],
  );
  return rows.map(({ name }) => name);
}

function functionStatements(names: readonly string[], roles: readonly Role[]): string[] {
  return names.flatMap((name) => {
    const allowed = roles.filter((role) => mayExecute(name, role));
    return allowed.length === 0 ? [] : [`GRANT EXECUTE ON FUNCTION ${ident(name)} TO ${list(allowed)}`];
  });
}
