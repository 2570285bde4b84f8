// Keys and operations in the verification order: unknown keys, replayed nonces, rotation, production, and what a check
// costs.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { observeDatabase } from '../../../lab/bench/database/observed.js';
import { type Key, type Pipeline, type Signed, startPipeline } from './harness.js';
import { UNKNOWN_KEY, unlimited } from './faults.js';

describe('keys and operations', function () {
  this.timeout(120_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline();
  });
  after(() => pipeline?.close());

  it('an unknown key, a wrong signature and a foreign address are the same answer', async () => {
    await unlimited(pipeline);
    const fenced = await pipeline.createKey();
    await pipeline.sql.query(`INSERT INTO allowed_network VALUES ($1, '192.0.2.0/24')`, [fenced.operationId]);
    const answers = await Promise.all([
      pipeline.request({ key: UNKNOWN_KEY }),
      pipeline.request({ signature: `v1=${'1'.repeat(64)}` }),
      pipeline.request({ key: { ...fenced, secret: 'wrong' } }),
    ]);
    const seen = answers.map(({ status, headers, json }) => {
      const { 'svc-trace-id': trace, date: _date, ...rest } = headers;
      assert.equal(json?.['trace_id'], trace);
      return JSON.stringify([status, rest, { ...json, trace_id: '-' }]);
    });
    assert.equal(new Set(seen).size, 1, seen.join('\n'));
    assert.equal(answers[0]?.code, 'invalid_signature');
  });

  it('a wrong signature under a key in use costs the look-up that an unknown key costs; a right one costs none', async () => {
    await unlimited(pipeline);
    const observed = observeDatabase(pipeline.databaseUrl);
    const { port } = await pipeline.another({ database: observed.database });
    const loadsOf = async (signed: Signed, status: number) => {
      observed.forget();
      assert.equal((await pipeline.request(signed, port)).status, status);
      return observed.statements.filter(({ text }) => text.includes('"secret_sealed"')).length;
    };
    assert.equal(await loadsOf({}, 200), 1, 'the first request reads the key');
    const wrong = { signature: `v1=${'3'.repeat(64)}` };
    assert.deepEqual(
      [
        await loadsOf({}, 200),
        await loadsOf(wrong, 401),
        await loadsOf({ key: UNKNOWN_KEY }, 401),
        await loadsOf({ key: UNKNOWN_KEY }, 401),
      ],
      [0, 1, 1, 1],
    );
    await observed.close();
  });

  it('a wrong signature stores no nonce: the right request with it passes', async () => {
    const nonce = randomBytes(16).toString('hex');
    assert.equal((await pipeline.request({ nonce, signature: `v1=${'2'.repeat(64)}` })).status, 401);
    assert.equal((await pipeline.request({ nonce })).status, 200);
    assert.equal((await pipeline.request({ nonce })).code, 'replayed_nonce');
  });

  it('one nonce under two keys is two nonces', async () => {
    const nonce = randomBytes(16).toString('hex');
    const other = await pipeline.createKey();
    assert.deepEqual(
      [(await pipeline.request({ nonce })).status, (await pipeline.request({ nonce, key: other })).status],
      [200, 200],
    );
  });

  it('two copies of one request from different addresses: the second waits for the first and is refused', async () => {
    const key = await pipeline.createKey();
    const authenticate = `SELECT refused_check, code
      FROM authenticate_request($1, 200, 200, 'signed', 20, $2, 'sandbox', $3, 150, 10000, '{}', '{}', '{}')`;
    const [first, later] = [await pipeline.sql.connect(), await pipeline.sql.connect()];
    try {
      await first.query('BEGIN');
      assert.deepEqual((await first.query(authenticate, ['192.0.2.1', key.keyId, 'c'.repeat(32)])).rows, [
        { refused_check: null, code: null },
      ]);
      const waiting = later.query(authenticate, ['192.0.2.2', key.keyId, 'c'.repeat(32)]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await first.query('COMMIT');
      assert.deepEqual((await waiting).rows, [{ refused_check: 9, code: 'replayed_nonce' }]);
    } finally {
      first.release();
      later.release();
    }
  });

  it('a key or an operation that the registry has in the other environment → unknown_key', async () => {
    for (const table of [
      'api_key SET environment = $1 WHERE key_id = $2',
      'operation SET environment = $1 WHERE id = $2',
    ]) {
      const key = await pipeline.createKey();
      assert.equal((await pipeline.request({ key })).status, 200);
      await pipeline.sql.query(`UPDATE ${table}`, [
        'production',
        table.startsWith('api_key') ? key.keyId : key.operationId,
      ]);
      assert.equal((await pipeline.request({ key })).code, 'unknown_key', table);
    }
  });

  it('suspension, revocation, scopes and allowlist hold at once, and so does their end', async () => {
    await unlimited(pipeline);
    const key = await pipeline.createKey();
    const get = () =>
      pipeline.request({ key, target: '/v1/deposits/dep_1' }).then(({ code, status }) => code ?? status);
    const change = (text: string) =>
      pipeline.sql.query(text.replace('$key', `'${key.keyId}'`).replace('$operation', `'${key.operationId}'`));
    assert.equal(await get(), 200);
    await change(`UPDATE operation SET status = 'suspended' WHERE id = $operation`);
    assert.equal(await get(), 'operation_suspended');
    await change(`UPDATE operation SET status = 'active' WHERE id = $operation`);
    assert.equal(await get(), 200);
    await change(`UPDATE api_key SET scopes = '{}' WHERE key_id = $key`);
    assert.equal(await get(), 'insufficient_scope');
    await change(`UPDATE api_key SET scopes = '{read}' WHERE key_id = $key`);
    await change(`INSERT INTO allowed_network VALUES ($operation, '192.0.2.0/24')`);
    assert.equal(await get(), 'ip_not_allowed');
    await change(`INSERT INTO allowed_network VALUES ($operation, '127.0.0.0/24')`);
    assert.equal(await get(), 200);
    await change(`UPDATE api_key SET expires_at = now() WHERE key_id = $key`);
    assert.equal(await get(), 'unknown_key');
    await change(`UPDATE api_key SET expires_at = NULL, revoked_at = now() WHERE key_id = $key`);
    assert.equal(await get(), 'unknown_key');
  });

  it('costs one round trip to Postgres for a GET, two for a POST, once the key is known', async () => {
    const observed = observeDatabase(pipeline.databaseUrl);
    const { port } = await pipeline.another({ database: observed.database });
    const tripsOf = async (signed: Signed) => {
      observed.forget();
      assert.ok((await pipeline.request(signed, port)).status < 300);
      return observed.statements.length;
    };
    assert.equal(await tripsOf({}), 2, 'the key is read once');
    assert.equal(await tripsOf({ target: '/v1/deposits' }), 1);
    assert.equal(await tripsOf({ method: 'POST', target: '/v1/deposits', body: '{}' }), 2);
    await observed.close();
  });

  it('a foreign address raises one alert that names it, however often it comes', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query(`INSERT INTO allowed_network VALUES ($1, '192.0.2.0/24')`, [key.operationId]);
    for (let time = 0; time < 3; time += 1) assert.equal((await pipeline.request({ key })).code, 'ip_not_allowed');
    const { rows } = await pipeline.sql.query('SELECT kind, object_id, detail FROM alert WHERE operation_id = $1', [
      key.operationId,
    ]);
    const detail = 'A request with a valid signature of this key came from 127.0.0.1, outside the allowlist.';
    assert.deepEqual(rows, [{ kind: 'IP_NOT_ALLOWED', object_id: key.keyId, detail }]);
  });

  it('the first use of a key gives the older keys seven more days', async () => {
    const old = await pipeline.createKey();
    const expiry = async (key: Key) =>
      (
        await pipeline.sql.query<{ days: number | null }>(
          `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM api_key WHERE key_id = $1`,
          [key.keyId],
        )
      ).rows[0]?.days ?? null;
    await pipeline.request({ key: old });
    assert.equal(await expiry(old), null);
    const fresh = await pipeline.createKey({ operation: old.operationId });
    assert.equal(await expiry(old), null, 'a new key that was never used changes nothing');
    await pipeline.request({ key: fresh });
    assert.ok(Math.abs(Number(await expiry(old)) - 7) < 0.01);
    assert.equal(await expiry(fresh), null);
    assert.equal((await pipeline.request({ key: old })).status, 200);
  });

  it('the first use of a key of other scopes ends none: it is no successor', async () => {
    const main = await pipeline.createKey();
    const narrow = await pipeline.createKey({ operation: main.operationId, scopes: ['read'] });
    assert.equal((await pipeline.request({ key: narrow })).status, 200);
    const { rows } = await pipeline.sql.query('SELECT expires_at FROM api_key WHERE key_id = $1', [main.keyId]);
    assert.deepEqual(rows, [{ expires_at: null }]);
  });

  it('the first use of an older key ends no newer one', async () => {
    const old = await pipeline.createKey();
    const fresh = await pipeline.createKey({ operation: old.operationId });
    await pipeline.request({ key: fresh });
    await pipeline.request({ key: old });
    const { rows } = await pipeline.sql.query('SELECT expires_at FROM api_key WHERE key_id = $1', [fresh.keyId]);
    assert.deepEqual(rows, [{ expires_at: null }]);
  });

  describe('in production', () => {
    let port: number;
    let key: Key;
    before(async () => {
      ({ port } = await pipeline.another({ environment: 'production' }));
      key = await pipeline.createKey({ environment: 'production' });
      await pipeline.sql.query(`INSERT INTO allowed_network VALUES ($1, '127.0.0.1/32')`, [key.operationId]);
    });
    it('a key of production passes', async () => assert.equal((await pipeline.request({ key }, port)).status, 200));
    it('a key of the sandbox → unknown_key', async () =>
      assert.equal((await pipeline.request({}, port)).code, 'unknown_key'));
    it('a key of production in the sandbox → unknown_key', async () =>
      assert.equal((await pipeline.request({ key })).code, 'unknown_key'));
    it('an empty allowlist → ip_not_allowed', async () => {
      const bare = await pipeline.createKey({ environment: 'production' });
      assert.equal((await pipeline.request({ key: bare }, port)).code, 'ip_not_allowed');
    });
    for (const method of ['POST', 'GET', 'PUT']) {
      it(`${method} /sandbox/outage is an unknown path`, async () => {
        const answer = await pipeline.request(
          { key, method, target: '/v1/sandbox/outage', body: method === 'POST' ? '{"down":true}' : '' },
          port,
        );
        assert.deepEqual([answer.status, answer.code], [404, 'not_found']);
      });
    }
  });
});
