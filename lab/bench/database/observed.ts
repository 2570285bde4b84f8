// A database client that writes down every statement as it crosses the wire: text, values and how long Postgres took to
// answer. Counting here counts round trips exactly, independent of the layers above.
import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type Database, type DatabaseConfig, databaseOver, poolConfig } from '../../../store/database.js';

export interface Statement {
  readonly text: string;
  /** A named statement stays prepared, and may come to one plan for all values. */
  readonly named: boolean;
  readonly values: readonly unknown[];
  /** From sending it to its last row, as the driver saw it: an upper bound of Postgres's own time. */
  readonly durationMs: number;
}

export interface ObservedDatabase {
  readonly database: Database;
  /** The connections that it uses, for statements of one's own. */
  readonly pool: pg.Pool;
  /** What was asked since the last `forget`, in the order of the answers. */
  readonly statements: readonly Statement[];
  forget(): void;
  /**
   * Processor time that Postgres has spent for these connections so far, in milliseconds: what a statement costs on a
   * machine whose processors others want too. Null if the system does not report it (it needs Linux, and the server on
   * this machine).
   */
  processorMs(): number | null;
  close(): Promise<void>;
}

/** Settings of a gateway process's pool. */
export const POOL = { poolSize: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 } as const satisfies Omit<
  DatabaseConfig,
  'url'
>;

/** Opens the gateway's own client over a pool whose connections are watched. */
export function observeDatabase(url: string): ObservedDatabase {
  const statements: Statement[] = [];
  const pool = new pg.Pool(poolConfig({ url, ...POOL }));
  // A server that stops under an idle connection is no error here.
  pool.on('error', () => undefined);
  const backends = new Map<number, number>();
  pool.on('connect', (client) => {
    const { processID } = client as pg.PoolClient & { readonly processID: number };
    backends.set(processID, 0);
    watch(client, (statement) => statements.push(statement));
  });
  const database = databaseOver(pool);
  return {
    database,
    pool,
    statements,
    forget: () => void statements.splice(0),
    processorMs: processorClock(backends),
    close: async () => {
      await database.$disconnect();
      await pool.end();
    },
  };
}

/**
 * The statements as the driver alone sends them, without what the gateway makes of their rows. @returns the rows of
 * each
 */
export async function sendAgain(pool: pg.Pool, statements: readonly Statement[]): Promise<unknown[][][]> {
  const all: unknown[][][] = [];
  for (const [index, { text, values }] of statements.entries())
    all.push(
      (await pool.query<unknown[]>({ name: `bare-${index}`, text, values: [...values], rowMode: 'array' })).rows,
    );
  return all;
}

/** The kernel's count, in nanoseconds. A closed connection keeps its last count. */
function processorClock(backends: Map<number, number>): () => number | null {
  if (!existsSync('/proc/self/schedstat')) return () => null;
  return () => {
    for (const id of backends.keys()) {
      try {
        backends.set(id, Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6);
      } catch {
        // It has ended.
      }
    }
    return [...backends.values()].reduce((sum, spent) => sum + spent, 0);
  };
}

type Query = (...args: unknown[]) => unknown;

/**
 * The driver takes a text or a settings object, and answers by promise or, called by its pool, by a callback at the
 * end.
 */
function watch(client: pg.PoolClient, record: (statement: Statement) => void): void {
  const query = client.query.bind(client) as Query;
  const watched: Query = (...args) => {
    const startedAt = performance.now();
    const [asked, given] = args as [string | { text: string; name?: string; values?: unknown[] }, unknown];
    const text = typeof asked === 'string' ? asked : asked.text;
    const values = typeof asked === 'string' ? (Array.isArray(given) ? given : []) : (asked.values ?? []);
    const named = typeof asked !== 'string' && Boolean(asked.name);
    const done = () => record({ text, named, values, durationMs: performance.now() - startedAt });
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), (...results: unknown[]) => {
        done();
        (callback as (...results: unknown[]) => void)(...results);
      });
    }
    return (query(...args) as Promise<unknown>).finally(done);
  };
  client.query = watched as typeof client.query;
}
