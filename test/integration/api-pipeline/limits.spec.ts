// Rates: each row of the Limits table over two processes, and a true Retry-After.
import assert from 'node:assert/strict';
import { type Answer, type Key, type Pipeline, startPipeline } from './harness.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('limits', function () {
  this.timeout(60_000);
  let pipeline: Pipeline;
  let second: number;
  before(async () => {
    pipeline = await startPipeline();
    second = (await pipeline.another()).port;
  });
  after(() => pipeline?.close());
  beforeEach(() => pipeline.sql.query('TRUNCATE rate_bucket, signature_failures'));

  /** How many of `attempts` calls pass a bucket, and how long that took. */
  async function passed(
    bucket: string,
    perSecond: number,
    burst: number,
    attempts: number,
  ): Promise<{ passed: number; seconds: number }> {
    const started = performance.now();
    const { rows } = await pipeline.sql.query<{ wait: number }>(
      'SELECT take_token($1, $2, $3) AS wait FROM generate_series(1, $4)',
      [bucket, perSecond, burst, attempts],
    );
    return { passed: rows.filter(({ wait }) => wait === 0).length, seconds: (performance.now() - started) / 1_000 };
  }

  for (const [perSecond, burst] of [
    [50, 100],
    [100, 100],
    [200, 200],
    [5, 5],
  ] as const) {
    it(`a bucket of ${perSecond}/s with burst ${burst} lets exactly the burst and the rate pass`, async () => {
      const { passed: count, seconds } = await passed(`b${perSecond}`, perSecond, burst, 1_000);
      assert.ok(
        count >= burst && count <= burst + Math.ceil(perSecond * seconds) + 1,
        `${count} passed in ${seconds} s`,
      );
    });
  }

  it('a sustained flood gets the rate, not a window’s worth twice', async () => {
    const started = performance.now();
    const secondsSoFar = () => (performance.now() - started) / 1_000;
    let [count, lastBegan] = [0, 0];
    while (secondsSoFar() < 1.5) {
      lastBegan = secondsSoFar();
      count += (await passed('flood', 50, 100, 20)).passed;
    }
    // A busy machine may stop this process between the last token and the look at the clock.
    const [least, most] = [100 + 50 * lastBegan - 3, 100 + 50 * secondsSoFar() + 3];
    assert.ok(count >= least && count <= most, `${count} passed, ${least} to ${most} expected`);
  });

  it('an idle bucket holds its burst, not what it could have given meanwhile', async () => {
    await pipeline.sql.query(`INSERT INTO rate_bucket VALUES ('idle', now() - interval '1 hour')`);
    const { passed: count, seconds } = await passed('idle', 50, 100, 1_000);
    assert.ok(count >= 100 && count <= 101 + Math.ceil(50 * seconds), `${count} passed in ${seconds} s`);
  });

  it('200 at once from many connections take exactly the burst', async () => {
    const waits = await Promise.all(
      Array.from({ length: 40 }, () =>
        pipeline.sql.query<{ wait: number }>(`SELECT take_token('race', 0.001, 25) AS wait`),
      ),
    );
    assert.equal(waits.filter(({ rows: [row] }) => row?.wait === 0).length, 25);
  });

  async function assertLimit(
    bucket: (key: Key) => string,
    fullSeconds: number,
    ask: (key: Key, port: number) => Promise<Answer>,
  ): Promise<void> {
    const key = await pipeline.createKey();
    const fill = (aheadMs: number) =>
      pipeline.sql.query(
        `INSERT INTO rate_bucket VALUES ($1, clock_timestamp() + make_interval(secs => $2))
          ON CONFLICT (bucket) DO UPDATE SET theoretical_arrival_time = excluded.theoretical_arrival_time`,
        [bucket(key), aheadMs / 1_000],
      );
    assert.ok((await ask(key, pipeline.port)).status < 300);
    for (const port of [pipeline.port, second]) {
      // The bucket is this full when its next token comes in 1.9 s.
      await fill(1_900 + 1_000 * fullSeconds);
      const refused = await ask(key, port);
      assert.deepEqual(
        [refused.status, refused.code, refused.json?.['retryable'], refused.headers['retry-after']],
        [429, 'rate_limited', true, '2'],
      );
    }
    await sleep(2_000);
    assert.ok((await ask(key, second)).status < 300, 'waiting it out succeeds');
  }

  const get = (target: string) => (key: Key, port: number) => pipeline.request({ key, target }, port);
  const write = (key: Key, port: number) =>
    pipeline.request({ key, method: 'POST', target: '/v1/deposits', body: '{}' }, port);
  // The second argument: (burst - 1) / rate, the seconds that a full bucket reaches ahead.
  it('reads of a key', () => assertLimit(({ keyId }) => `read:${keyId}`, 99 / 100, get('/v1/ping')));
  it('reads of an operation', () =>
    assertLimit(({ operationId }) => `read:${operationId}`, 199 / 200, get('/v1/ping')));
  it('writes of a key', () => assertLimit(({ keyId }) => `write:${keyId}`, 99 / 50, write));
  it('writes of an operation', () => assertLimit(({ operationId }) => `write:${operationId}`, 99 / 50, write));
  it('lists of a key', () => assertLimit(({ keyId }) => `listing:${keyId}`, 4 / 5, get('/v1/deposits')));
  it('the source address, public routes included', () =>
    assertLimit(() => 'source:127.0.0.1', 199 / 200, get('/v1/openapi.yaml')));

  it('reading one object is not a list', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query(`INSERT INTO rate_bucket VALUES ($1, now() + interval '1 hour')`, [
      `listing:${key.keyId}`,
    ]);
    assert.equal((await pipeline.request({ key, target: '/v1/deposits' })).status, 429);
    assert.equal((await pipeline.request({ key, target: '/v1/deposits/dep_1' })).status, 200);
  });

  it('one operation’s rate does not slow another', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query(`INSERT INTO rate_bucket VALUES ($1, now() + interval '1 hour')`, [
      `read:${key.operationId}`,
    ]);
    assert.equal((await pipeline.request({ key })).status, 429);
    assert.equal((await pipeline.request()).status, 200);
  });

  it('too many live nonces of a key → 429 before the rates', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query(`INSERT INTO rate_bucket VALUES ($1, now() + interval '1 hour')`, [`nonces:${key.keyId}`]);
    const nonce = 'e'.repeat(32);
    const answer = await pipeline.request({ key, nonce });
    assert.deepEqual([answer.status, answer.code], [429, 'rate_limited']);
    const { rowCount } = await pipeline.sql.query('SELECT FROM nonce WHERE key_id = $1', [key.keyId]);
    assert.equal(rowCount, 0);
  });

  describe('signature failures', () => {
    const fail = (port: number) => pipeline.request({ signature: `v1=${'0'.repeat(64)}` }, port);
    it('20 in a minute are 401, over both processes; the next are 429; right requests pass', async () => {
      const first = await Promise.all(
        Array.from({ length: 20 }, (_, index) => fail(index % 2 === 0 ? pipeline.port : second)),
      );
      assert.deepEqual(
        [...new Set(first.map(({ status, code }) => `${status} ${String(code)}`))],
        ['401 invalid_signature'],
      );
      const next = await fail(second);
      assert.deepEqual([next.status, next.code], [429, 'rate_limited']);
      assert.ok(Number(next.headers['retry-after']) > 50 && Number(next.headers['retry-after']) <= 60);
      assert.equal((await pipeline.request()).status, 200);
      assert.equal(
        (await pipeline.request({ headers: { 'Svc-Key-Id': 'nonsense' } })).status,
        401,
        'an earlier check answers as ever',
      );
    });
    it('waiting Retry-After out makes the next failure an ordinary 401', async () => {
      for (let time = 0; time < 20; time += 1) await fail(pipeline.port);
      await pipeline.sql.query(
        `UPDATE signature_failures SET failed_at = array_fill(clock_timestamp() - interval '58.1 seconds', ARRAY[20])`,
      );
      const refused = await fail(pipeline.port);
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers['retry-after']) <= 2);
      await sleep(Number(refused.headers['retry-after']) * 1_000);
      assert.equal((await fail(pipeline.port)).status, 401);
    });
    it('unknown keys count like wrong signatures', async () => {
      for (let time = 0; time < 20; time += 1)
        await pipeline.request({ key: { keyId: `key_test_Unknown${time}`, secret: 'x', operationId: '-' } });
      assert.equal((await fail(pipeline.port)).status, 429);
    });
  });
});
