// Prisma's schema engine as WebAssembly (the native one comes only by a download): compares prisma/schema.prisma with what the
// migrations give. CHECK constraints, partial indexes, triggers and functions of the migrations are outside its view.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { SqlDriverAdapter, SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { readMigrations } from '../prisma/apply-migrations.js';
import { inRoot } from './bootstrap/root.mjs';

export interface SchemaCheck {
  /** Whether the migrations give exactly the schema. */
  readonly matches: boolean;
  /** The SQL that is missing in the migrations; empty when they match. */
  readonly missingSql: string;
}

const SCHEMA_FILE = inRoot('prisma', 'schema.prisma');
const MIGRATIONS = inRoot('prisma', 'migrations');
const FILTERS = { externalTables: [], externalEnums: [] };

/** Compares the migrations, applied to a temporary database of the server at `databaseUrl`, with the schema. */
export async function checkSchema(databaseUrl: string, schema = readSchema()): Promise<SchemaCheck> {
  const { exitCode, stdout } = await diff(databaseUrl, { tag: 'migrations', ...migrationsList() }, schema);
  return { matches: exitCode === 0, missingSql: exitCode === 0 ? '' : (stdout ?? '') };
}

/** The whole schema as SQL, a start for the first migration. Needs any reachable database. */
export async function schemaAsSql(databaseUrl: string): Promise<string> {
  return (await diff(databaseUrl, { tag: 'empty' }, readSchema())).stdout ?? '';
}

/** Whether the role in `databaseUrl` may make the temporary database that a check needs. */
export async function mayCreateDatabases(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      'SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user',
    );
    return rows[0]?.may === true;
  } finally {
    await client.end();
  }
}

/** The text of prisma/schema.prisma. */
export function readSchema(): string {
  return readFileSync(SCHEMA_FILE, 'utf8');
}

interface DiffResult {
  /** 0: no difference; 2: differences. */
  readonly exitCode: number;
  readonly stdout: string | null;
}

async function diff(databaseUrl: string, from: object, schema: string): Promise<DiffResult> {
  const engine = await loadEngine(new SchemaEngineAdapter(databaseUrl), schema);
  return engine.diff({
    from,
    to: { tag: 'schemaDatamodel', files: [{ path: SCHEMA_FILE, content: schema }] },
    script: true,
    exitCode: true,
    filters: FILTERS,
    shadowDatabaseUrl: null,
  });
}

function migrationsList(): object {
  return {
    baseDir: MIGRATIONS,
    lockfile: { path: 'migration_lock.toml', content: readFileSync(join(MIGRATIONS, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations(MIGRATIONS).map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

interface SchemaEngine {
  diff(input: object): Promise<DiffResult>;
}
interface EngineModule {
  __wbg_set_wasm(exports: Record<string, unknown>): void;
  SchemaEngine: { new: (options: object, log: (line: string) => void, factory: unknown) => Promise<SchemaEngine> };
}
/** The compiler's libraries of this project do not describe WebAssembly. */
interface WebAssemblyApi {
  instantiate(
    bytes: Buffer,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
}

// The package keeps its WebAssembly instance in the module: one for all engines of the process.
let engineModule: Promise<EngineModule> | undefined;

async function loadEngine(factory: SchemaEngineAdapter, schema: string): Promise<SchemaEngine> {
  const { SchemaEngine } = await (engineModule ??= loadEngineModule());
  return SchemaEngine.new(
    { datamodels: [[SCHEMA_FILE, schema]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

/** The package's own entry point is made for bundlers; this does by hand what that would do. */
async function loadEngineModule(): Promise<EngineModule> {
  const host = globalThis as unknown as { WebAssembly: WebAssemblyApi; PRISMA_WASM_PANIC_REGISTRY?: object };
  host.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message: string) => {
      throw new Error(`Prisma's schema engine panicked: ${message}`);
    },
  };
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const glue = (await import(join(folder, 'schema_engine_bg.js'))) as EngineModule;
  const { instance } = await host.WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  return glue;
}

// The object id of PostgreSQL's internal one-byte "char" type, in columns of pg_catalog.
const INTERNAL_CHAR_OID = 18;
const TEXT_OID = 25;

/** The parts of adapter-pg's connection that are not public, and that the schema engine needs to behave differently. */
interface PatchableAdapter extends SqlDriverAdapter {
  client: { query(sql: string): Promise<unknown>; end(): Promise<void> };
  performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }>;
  onError(error: unknown): never;
  release?: unknown;
}

/** adapter-pg, made fit to serve the schema engine. */
class SchemaEngineAdapter extends PrismaPg {
  readonly #connection: pg.ClientConfig;

  constructor(databaseUrl: string) {
    const url = new URL(databaseUrl);
    // Not as a connection string: adapter-pg would prefer its database to the shadow database's name.
    const connection = {
      host: url.hostname,
      port: Number(url.port || 5432),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: url.pathname.slice(1),
      connectionTimeoutMillis: 10_000,
    };
    super({ ...connection, max: 1 });
    this.#connection = connection;
  }

  override async connect() {
    return patchAdapter(await super.connect());
  }

  /** A database of its own, where the engine applies the migrations; dropped when the engine has done. */
  override async connectToShadowDb() {
    const admin = new pg.Client(this.#connection);
    await admin.connect();
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    await admin.query(`CREATE DATABASE "${database}"`);
    const connected = await new PrismaPg({ ...this.#connection, database }).connect();
    const adapter = internals(connected);
    adapter.release = undefined;
    adapter.dispose = async () => {
      await adapter.client.end();
      await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      await admin.end();
    };
    return patchAdapter(connected);
  }
}

function internals(adapter: object): PatchableAdapter {
  return adapter as unknown as PatchableAdapter;
}

function patchAdapter<A extends object>(connected: A): A {
  const adapter = internals(connected);
  const charColumns = new WeakMap<SqlQuery, boolean[]>();
  const performIO = adapter.performIO.bind(adapter);
  // "char" columns are refused as an unknown type: read them as text, and report them as characters.
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    charColumns.set(
      query,
      result.fields.map((field) => field.dataTypeID === INTERNAL_CHAR_OID),
    );
    for (const field of result.fields) if (field.dataTypeID === INTERNAL_CHAR_OID) field.dataTypeID = TEXT_OID;
    return result;
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query): Promise<SqlResultSet> => {
    const result = await queryRaw(query);
    charColumns.get(query)?.forEach((isChar, index) => {
      if (isChar) result.columnTypes[index] = ColumnTypeEnum.Character;
    });
    return result;
  };
  // Scripts are split at every semicolon, also inside functions: send each as one message.
  adapter.executeScript = async (script) => {
    try {
      await adapter.client.query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  return connected;
}
