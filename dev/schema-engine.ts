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
import { readMigrations } from '../prisma/deploy.js';
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
export async function checkSchema(databaseUrl: string): Promise<SchemaCheck> {
  const { exitCode, stdout } = await diff(databaseUrl, { tag: 'migrations', ...migrationsList() });
  return { matches: exitCode === 0, missingSql: exitCode === 0 ? '' : (stdout ?? '') };
}

/** The whole schema as SQL, a start for the first migration. Needs any reachable database. */
export async function schemaAsSql(databaseUrl: string): Promise<string> {
  return (await diff(databaseUrl, { tag: 'empty' })).stdout ?? '';
}

interface DiffResult {
  /** 0: no difference; 2: differences. */
  readonly exitCode: number;
  readonly stdout: string | null;
}

async function diff(databaseUrl: string, from: object): Promise<DiffResult> {
  const factory = new SchemaEngineAdapter(databaseUrl);
  const engine = await loadEngine(factory);
  return engine.diff({ from, to: { tag: 'schemaDatamodel', files: schemaFiles() }, script: true, exitCode: true, filters: FILTERS, shadowDatabaseUrl: null });
}

function schemaFiles(): { path: string; content: string }[] {
  return [{ path: SCHEMA_FILE, content: readFileSync(SCHEMA_FILE, 'utf8') }];
}

function migrationsList(): object {
  return {
    baseDir: MIGRATIONS,
    lockfile: { path: 'migration_lock.toml', content: readFileSync(join(MIGRATIONS, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations(MIGRATIONS).map(({ name, sql }) => ({ path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } } })),
  };
}

interface SchemaEngine {
  diff(input: object): Promise<DiffResult>;
}
interface EngineModule {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
  SchemaEngine: { new: (options: object, log: (line: string) => void, factory: unknown) => Promise<SchemaEngine> };
}

/** The package's own entry point is made for bundlers; this does by hand what that would do. */
async function loadEngine(factory: SchemaEngineAdapter): Promise<SchemaEngine> {
  (globalThis as { PRISMA_WASM_PANIC_REGISTRY?: object }).PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message: string) => {
      throw new Error(`Prisma's schema engine panicked: ${message}`);
    },
  };
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const glue = (await import(join(folder, 'schema_engine_bg.js'))) as EngineModule;
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), { './schema_engine_bg.js': glue as unknown as WebAssembly.ModuleImports });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  const datamodels = schemaFiles().map(({ path, content }) => [path, content]);
  return glue.SchemaEngine.new({ datamodels }, () => undefined, bindMigrationAwareSqlAdapterFactory(factory));
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
      host: url.hostname, port: Number(url.port || 5432), user: decodeURIComponent(url.username), password: decodeURIComponent(url.password),
      database: url.pathname.slice(1), connectionTimeoutMillis: 10_000,
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
    const adapter = patchAdapter(await new PrismaPg({ ...this.#connection, database }).connect());
    adapter.release = undefined;
    adapter.dispose = async () => {
      await adapter.client.end();
      await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      await admin.end();
    };
    return adapter;
  }
}

function patchAdapter<A extends object>(connected: A): A & PatchableAdapter {
  const adapter = connected as A & PatchableAdapter;
  const charColumns = new WeakMap<SqlQuery, boolean[]>();
  const performIO = adapter.performIO.bind(adapter);
  // "char" columns are refused as an unknown type: read them as text, and report them as characters.
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    charColumns.set(query, result.fields.map((field) => field.dataTypeID === INTERNAL_CHAR_OID));
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
  return adapter;
}
