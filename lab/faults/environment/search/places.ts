// Everything that a gateway leaves behind and that people or programs without a key may read: logs, metrics, Temporal,
// rows.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { DATA_CONVERTER } from '../../../../platform/temporal/connection.js';
import { TEMPORAL_DATABASES } from '../../../harness/temporal-roles.js';
import type { Environment } from '../environment.js';
import { historiesIn, type Place, SEPARATOR } from './histories.js';

export type { Place } from './histories.js';

/** How places begin in which Temporal keeps what it knows. */
export const STORE = 'Temporal’s store,';
/** Not its rollback journal, which comes and goes with every transaction and holds pages of the file itself. */
const isStore = (file: string): boolean => /^temporal\.db(-wal|-shm)?$/.test(basename(file));

/** @param since only workflows that began then or later; everything else is read whole */
export async function placesOf(environment: Environment, since: Date): Promise<Place[]> {
  const [metrics, histories, tables, store] = await Promise.all([
    metricsOf(environment),
    historiesOf(environment, since),
    tablesOf(environment.database, 'the table'),
    temporalTablesOf(environment),
  ]);
  return [...filesOf(environment), ...metrics, ...histories, ...tables, ...store];
}

/**
 * Logs of every process, including PostgreSQL, Temporal and the edge, and the history file of Temporal's dev server.
 */
function filesOf({ servers }: Environment): Place[] {
  const { folder } = servers.run;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (entry.name.endsWith('.log') || isStore(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    // PostgreSQL's own files hold what its tables hold; they are read as rows.
    .filter((file) => !dirname(file).includes(join('postgres', 'data')));
  return files.map((file) => ({
    name: `${isStore(file) ? STORE : 'the'} file ${relative(folder, file)}`,
    bytes: readFileSync(file),
  }));
}

async function metricsOf({ metricsUrls }: Environment): Promise<Place[]> {
  return Promise.all(
    metricsUrls.map(async (url) => {
      const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
      if (!answer.ok) throw new Error(`${url} was answered ${answer.status}`);
      return { name: `the metrics at ${url}`, bytes: Buffer.from(await answer.text(), 'utf8') };
    }),
  );
}

async function historiesOf({ servers }: Environment, since: Date): Promise<Place[]> {
  const connection = await Connection.connect({ address: servers.temporal.address });
  try {
    return await historiesIn(
      new Client({ dataConverter: DATA_CONVERTER, connection }),
      `StartTime >= "${since.toISOString()}"`,
    );
  } finally {
    await connection.close();
  }
}

/** The databases of Temporal's roles, where it has some. */
async function temporalTablesOf({ servers: { shape, postgres } }: Environment): Promise<Place[]> {
  const names = shape === 'cluster' ? TEMPORAL_DATABASES : [];
  const places = await Promise.all(
    names.map(async (name) => {
      const url = new URL(postgres.superuserUrl);
      url.pathname = `/${name}`;
      const pool = new pg.Pool({ connectionString: url.toString(), max: 2 });
      try {
        return await tablesOf(pool, `${STORE} table ${name}:`);
      } finally {
        await pool.end();
      }
    }),
  );
  return places.flat();
}

/** Every row of every table; bytes are read as bytes, so that only what is sealed or hashed stays hidden. */
async function tablesOf(database: pg.Pool, kind: string): Promise<Place[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
      AND table_type = 'BASE TABLE'`,
  );
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await database.query<{ row: string }>(
        `SELECT row_to_json(one)::text AS row FROM "${name}" AS one`,
      );
      const text = rows.map(({ row }) => row).join('\n');
      const binary = Array.from(text.matchAll(/\\\\x([0-9a-f]+)/g), ([, hex = '']) => Buffer.from(hex, 'hex'));
      return {
        name: `${kind} ${name}`,
        bytes: Buffer.concat([Buffer.from(text, 'utf8'), ...binary.flatMap((bytes) => [SEPARATOR, bytes])]),
      };
    }),
  );
}
