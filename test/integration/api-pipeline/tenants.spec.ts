// One operation's flood, and what it leaves of the pool of connections: half of it, and the locks of others.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import type pg from 'pg';
import { WAITING_REQUESTS } from '../../../api/middleware/limits.js';
import { exposition, showPool } from '../../../platform/telemetry/instruments.js';
import { createDatabase, type Database, poolOf, poolUsage, waitingFor } from '../../../store/database.js';
import { onBehalfOf } from '../../../store/shared-pool.js';
import { eventually, within } from '../../../lab/harness/eventually.js';
import { type Key, type Pipeline, startPipeline } from './harness.js';

const POOL = 4;
const SHARE = POOL / 2;
const FLOOD = 40;
const LOCK = 7;
/** Below the time that a call waits for a connection. */
const SOON_MS = 1_500;

describe('one operation floods', function () {
  this.timeout(60_000);
  let pipeline: Pipeline;
  let database: Database;
  let port: number;
  let [flooding, other] = [] as unknown as [Key, Key];
  const address = 'x-client-address';

  before(async () => {
    pipeline = await startPipeline();
    database = createDatabase({
      url: poolOf(pipeline.database).options.connectionString!,
      poolSize: POOL,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 30_000,
    });
    // Only the owner's functions take such a lock otherwise.
    await pipeline.sql.query('GRANT EXECUTE ON FUNCTION pg_advisory_xact_lock(bigint) TO gateway_api');
    const proxies = new BlockList();
    proxies.addAddress('127.0.0.1');
    const handlers = { ...pipeline.handlers, get: takingTheLock };
    ({ port } = await pipeline.another({ database, handlers, edge: { proxies, header: address } }));
  });
  after(async () => {
    await database?.$disconnect();
    await pipeline?.close();
  });
  beforeEach(async () => {
    [flooding, other] = [await pipeline.createKey(), await pipeline.createKey()];
  });

  /** A read whose handler needs a connection for as long as somebody holds the lock. */
  async function takingTheLock() {
    await database.$transaction((tx) => tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`, {
      timeout: 30_000,
      maxWait: 30_000,
    });
    return { status: 200 as const, body: {} };
  }

  const ask = (key: Key, target = '/v1/ping') =>
    pipeline.request({ key, target, headers: { [address]: key === other ? '203.0.113.2' : '203.0.113.1' } }, port);

  /** Holds what `statement` locks until the returned function is called. */
  async function held(statement: string, values: unknown[]): Promise<() => Promise<void>> {
    const client = await pipeline.sql.connect();
    await client.query('BEGIN');
    await client.query(statement, values);
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  async function waitingForLock(): Promise<number> {
    const { rows } = await pipeline.sql.query<{ number: number }>(
      `SELECT count(*)::int AS number FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
    );
    return rows[0]?.number ?? 0;
  }

  async function assertServed(): Promise<void> {
    for (let time = 0; time < 3; time += 1) {
      const answer = await within(SOON_MS, ask(other), 'the other operation is served');
      assert.equal(answer.status, 200, answer.text);
    }
  }

  const metrics = exposition('api', async () => showPool(poolUsage(database)));
  /** What the process reports about shares, for all operations together. */
  const shares = async () => {
    const text = await metrics();
    const valueOf = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1] ?? 0,
      );
    return {
      waiting: valueOf('gateway_database_share_waiting'),
      refused: valueOf('gateway_database_share_refusals_total{why="queue_full"}'),
    };
  };

  const waits = (calls: number) =>
    eventually(() => waitingFor(database, flooding.operationId) === calls, `${calls} calls of the flood wait`, 10_000);

  it('with requests that wait for its own lock: another is served, and the flood afterwards', async () => {
    assert.equal((await ask(flooding)).status, 200);
    const release = await held('SELECT FROM rate_bucket WHERE bucket = $1 FOR UPDATE', [
      `read:${flooding.operationId}`,
    ]);
    const answers = Array.from({ length: FLOOD }, () => ask(flooding));
    try {
      await waits(FLOOD - SHARE);
      assert.equal((await shares()).waiting, FLOOD - SHARE);
      await assertServed();
    } finally {
      await release();
    }
    assert.deepEqual([...new Set((await Promise.all(answers)).map(({ status }) => status))], [200]);
    assert.equal((await shares()).waiting, 0);
    assert.equal(waitingFor(database, flooding.operationId), 0);
  });

  it('with reads whose handlers need connections: another is served', async () => {
    const release = await held('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const answers = Array.from({ length: FLOOD }, () => ask(flooding, '/v1/deposits/dep_1'));
    try {
      await eventually(async () => (await waitingForLock()) === SHARE, 'handlers hold the whole share', 10_000);
      await waits(FLOOD - SHARE);
      await assertServed();
    } finally {
      await release();
    }
    assert.deepEqual([...new Set((await Promise.all(answers)).map(({ status }) => status))], [200]);
  });

  it('beyond what its rates let arrive at once: 429 without a statement, and another is served', async () => {
    const take = () => onBehalfOf(flooding.operationId, () => poolOf(database).connect());
    const holding: pg.PoolClient[] = await Promise.all(Array.from({ length: SHARE }, take));
    const waiting = Array.from({ length: WAITING_REQUESTS }, () => take().then((client) => client.release()));
    const before = (await shares()).refused;
    const refused = await within(SOON_MS, ask(flooding), 'the refusal');
    assert.equal((await shares()).refused, before + 1);
    await assertServed();
    for (const client of holding) client.release();
    await Promise.all(waiting);
    assert.equal((await ask(flooding)).status, 200);
    assert.deepEqual(
      [refused.status, refused.code, refused.headers['retry-after'], refused.json?.['detail']],
      [
        429,
        'rate_limited',
        '1',
        'Requests of one operation that wait for the database: at most 300 in one process. Wait 1 s.',
      ],
    );
  });

  it('somebody who signs wrongly takes nothing of the share', async () => {
    const take = () => onBehalfOf(flooding.operationId, () => poolOf(database).connect());
    const holding = await Promise.all(Array.from({ length: SHARE }, take));
    const answer = await within(
      SOON_MS,
      pipeline.request(
        { key: flooding, signature: `v1=${'0'.repeat(64)}`, headers: { [address]: '203.0.113.3' } },
        port,
      ),
      'the refusal',
    ).finally(() => holding.forEach((client) => client.release()));
    assert.equal(answer.status, 401);
  });
});
