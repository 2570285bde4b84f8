// PostgreSQL is killed: the hourly limits of players are business limits and still count what was counted before.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../../lab/harness/database.js';
import { eventually } from '../../lab/harness/eventually.js';
import { findFreePort } from '../../tools/processes/ports.js';
import { ProcessRegistry, trySignal } from '../../tools/processes/registry.js';
import { removePlace } from '../../tools/servers/postgres-place.js';
import { preparePostgres } from '../../tools/servers/postgres.js';

const LIMIT = 3;

describe('the hourly limits of players', () => {
  let folder: string;
  let registry: ProcessRegistry;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-player-limits-'));
    registry = new ProcessRegistry(join(folder, 'processes.json'));
  });
  after(() => {
    registry.close();
    removePlace(join(folder, 'postgres'));
    rmSync(folder, { recursive: true, force: true });
  });

  it('survive a kill -9 of PostgreSQL; of the counters of requests only the technical ones are emptied', async function () {
    this.timeout(120_000);
    const { service, superuserUrl } = preparePostgres(
      {
        environment: process.env,
        home: join(folder, 'postgres'),
        port: await findFreePort(),
        superuserPassword: randomBytes(8).toString('hex'),
        logFile: join(folder, 'postgres.log'),
        settings: {},
      },
      registry,
    );
    await service.start();
    try {
      const { url } = await createTestDatabase(superuserUrl);
      for (let time = 0; time < LIMIT; time += 1) assert.equal(await claimed(url), 'owned');
      await query(url, `INSERT INTO rate_bucket VALUES ('b', now())`);

      const killed = service.pid;
      assert.ok(killed !== undefined);
      trySignal(killed, 'SIGKILL');
      const outcome = await eventually(() => claimed(url).catch(() => undefined), 'PostgreSQL answers again');
      assert.notEqual(service.pid, killed);
      assert.equal(outcome, 'limited');
      assert.deepEqual(await query(url, 'SELECT FROM rate_bucket'), [], 'it was a crash');
      assert.deepEqual(await unlogged(url), ['rate_bucket', 'request_log', 'review_claim', 'signature_failures']);
    } finally {
      await service.stop();
    }
  });
});

/** Claims a new Idempotency-Key for one more withdrawal of the same player. */
async function claimed(url: string): Promise<unknown> {
  const [row] = await query(
    url,
    `SELECT outcome FROM claim_idempotency_key('op_1', $1, 'f', $2, 'op_1:withdrawal:player-1', ${LIMIT}, 't', NULL)`,
    [randomUUID(), `wdr_${randomBytes(16).toString('hex')}`],
  );
  return row?.['outcome'];
}

async function unlogged(url: string): Promise<unknown[]> {
  const rows = await query(
    url,
    `SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`,
  );
  return rows.map(({ relname }) => relname);
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
