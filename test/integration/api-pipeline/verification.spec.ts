// Every check of "Server verification order" alone, and every pair of simultaneous faults: the earlier one answers.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { observeDatabase } from '../../../tools/bench/database/observed.js';
import { type Answer, type Key, type Pipeline, type Signed, startPipeline } from './harness.js';

interface Fault {
  readonly check: number;
  readonly title: string;
  readonly expected: readonly [status: number, code: string];
  /** What the fault changes about the request. */
  readonly request?: (signed: Signed) => Signed;
  /** What it changes in the database, for this test's own operation. */
  readonly arrange?: (pipeline: Pipeline, key: Key) => Promise<unknown>;
  /** Faults that one request cannot have at once (they are the same header, or exclude each other). */
  readonly excludes?: readonly string[];
}

const UNKNOWN_KEY: Key = { keyId: 'key_test_Unknown', secret: 'whatever', operationId: '-' };
const seconds = (offset: number) => String(Math.floor(Date.now() / 1_000) + offset);
const full = (pipeline: Pipeline, bucket: string) =>
  pipeline.sql.query(
    `INSERT INTO rate_bucket VALUES ($1, now() + interval '1 hour') ON CONFLICT (bucket) DO UPDATE SET theoretical_arrival_time = excluded.theoretical_arrival_time`,
    [bucket],
  );
const unlimited = (pipeline: Pipeline) => pipeline.sql.query('TRUNCATE rate_bucket, signature_failures');

const FAULTS: readonly Fault[] = [
  {
    check: 1,
    title: 'body over 64 KiB',
    expected: [413, 'validation_failed'],
    request: (signed) => ({ ...signed, body: `{"note":"${'x'.repeat(65_536)}"}` }),
  },
  {
    check: 2,
    title: 'source over its rate',
    expected: [429, 'rate_limited'],
    arrange: (pipeline) => full(pipeline, 'source:127.0.0.1'),
  },
  {
    check: 3,
    title: 'malformed key id',
    expected: [401, 'unknown_key'],
    request: (signed) => ({ ...signed, headers: { ...signed.headers, 'Svc-Key-Id': 'key_test_' } }),
    excludes: ['unknown key'],
  },
  {
    check: 4,
    title: 'old timestamp',
    expected: [401, 'timestamp_out_of_window'],
    request: (signed) => ({ ...signed, timestamp: seconds(-400) }),
  },
  {
    check: 5,
    title: 'malformed nonce',
    expected: [401, 'invalid_signature'],
    request: (signed) => ({ ...signed, nonce: 'A'.repeat(32) }),
    excludes: ['nonce seen before'],
  },
  {
    check: 6,
    title: 'wrong signature',
    expected: [401, 'invalid_signature'],
    request: (signed) => ({ ...signed, signature: `v1=${'0'.repeat(64)}` }),
    excludes: ['unknown key'],
  },
  {
    check: 6,
    title: 'unknown key',
    expected: [401, 'invalid_signature'],
    request: (signed) => ({ ...signed, key: UNKNOWN_KEY }),
    excludes: ['wrong signature', 'malformed key id'],
  },
  {
    check: 7,
    title: 'revoked key',
    expected: [401, 'unknown_key'],
    arrange: (pipeline, { keyId }) =>
      pipeline.sql.query('UPDATE api_key SET revoked_at = now() WHERE key_id = $1', [keyId]),
  },
  {
    check: 8,
    title: 'address outside the allowlist',
    expected: [403, 'ip_not_allowed'],
    arrange: (pipeline, { operationId }) =>
      pipeline.sql.query(`INSERT INTO allowed_network VALUES ($1, '192.0.2.0/24')`, [operationId]),
  },
  {
    check: 9,
    title: 'nonce seen before',
    expected: [401, 'replayed_nonce'],
    request: (signed) => ({ ...signed, nonce: 'd'.repeat(32) }),
    arrange: (pipeline, { keyId }) =>
      pipeline.sql.query('INSERT INTO nonce VALUES ($1, $2, now())', [keyId, 'd'.repeat(32)]),
    excludes: ['malformed nonce'],
  },
  {
    check: 10,
    title: 'suspended operation',
    expected: [403, 'operation_suspended'],
    arrange: (pipeline, { operationId }) =>
      pipeline.sql.query(`UPDATE operation SET status = 'suspended' WHERE id = $1`, [operationId]),
  },
  {
    check: 11,
    title: 'key over its rate',
    expected: [429, 'rate_limited'],
    arrange: (pipeline, { keyId }) => full(pipeline, `write:${keyId}`),
  },
  {
    check: 12,
    title: 'no scope',
    expected: [403, 'insufficient_scope'],
    arrange: (pipeline, { keyId }) =>
      pipeline.sql.query(`UPDATE api_key SET scopes = '{read}' WHERE key_id = $1`, [keyId]),
    excludes: ['unknown path'],
  },
  {
    check: 12,
    title: 'unknown path',
    expected: [404, 'not_found'],
    request: (signed) => ({ ...signed, target: '/v1/nowhere' }),
    excludes: ['no scope'],
  },
  {
    check: 13,
    title: 'no Idempotency-Key',
    expected: [400, 'validation_failed'],
    request: (signed) => ({ ...signed, headers: { ...signed.headers, 'Idempotency-Key': undefined } }),
  },
  {
    check: 14,
    title: 'simulated outage',
    expected: [503, 'service_unavailable'],
    arrange: (pipeline, { operationId }) =>
      pipeline.sql.query('UPDATE operation SET outage = true WHERE id = $1', [operationId]),
  },
];

describe('the verification order', function () {
  this.timeout(120_000);
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline();
  });
  after(() => pipeline?.close());

  async function requestWith(...faults: readonly Fault[]): Promise<Answer> {
    await unlimited(pipeline);
    const key = await pipeline.createKey();
    for (const { arrange } of faults) await arrange?.(pipeline, key);
    const right: Signed = { method: 'POST', target: '/v1/deposits', body: '{}', key };
    return pipeline.request(faults.reduce((signed, { request }) => request?.(signed) ?? signed, right));
  }

  it('no fault → the handler answers', async () => assert.equal((await requestWith()).status, 201));

  for (const fault of FAULTS) {
    it(`check ${fault.check}: ${fault.title} → ${fault.expected.join(' ')}`, async () => {
      const before = pipeline.runs.get('create') ?? 0;
      const answer = await requestWith(fault);
      assert.deepEqual([answer.status, answer.code], fault.expected, answer.text);
      assert.equal(pipeline.runs.get('create') ?? 0, before, 'the handler must not run');
      assertProblem(answer);
    });
  }

  for (const [index, earlier] of FAULTS.entries()) {
    for (const later of FAULTS.slice(index + 1)) {
      if (later.check === earlier.check || earlier.excludes?.includes(later.title) === true) continue;
      it(`${earlier.check} before ${later.check}: ${earlier.title} and ${later.title} → ${earlier.expected[1]}`, async () => {
        const answer = await requestWith(earlier, later);
        assert.deepEqual([answer.status, answer.code], earlier.expected, answer.text);
      });
    }
  }

  describe('check 3: key ids', () => {
    for (const keyId of [
      undefined,
      '',
      'key_test_',
      'key_live_abc',
      'key_test_a-b',
      `key_test_${'a'.repeat(65)}`,
      'KEY_TEST_abc',
      'key_test_abc, key_test_abc',
      'x',
    ]) {
      it(`${keyId ?? 'none'} → unknown_key`, async () => {
        const answer = await pipeline.request({ headers: { 'Svc-Key-Id': keyId } });
        assert.deepEqual([answer.status, answer.code], [401, 'unknown_key']);
      });
    }
    it('twice → unknown_key', async () => {
      const answer = await pipeline.request({ headers: { 'Svc-Key-Id': [pipeline.key.keyId, pipeline.key.keyId] } });
      assert.deepEqual([answer.status, answer.code], [401, 'unknown_key']);
    });
  });

  describe('check 4: timestamps', () => {
    for (const [title, timestamp] of [
      ['none', undefined],
      ['empty', () => ''],
      ['with a sign', () => `+${seconds(0)}`],
      ['negative', () => `-${seconds(0)}`],
      ['with a leading zero', () => `0${seconds(0)}`],
      ['with a fraction', () => `${seconds(0)}.5`],
      ['in milliseconds', () => String(Date.now())],
      ['in hexadecimal', () => `0x${Number(seconds(0)).toString(16)}`],
      ['as a date', () => new Date().toISOString()],
      ['301 s old', () => seconds(-301)],
      ['302 s ahead', () => seconds(302)],
      ['very long', () => '9'.repeat(400)],
    ] as const) {
      it(`${title} → timestamp_out_of_window`, async () => {
        const answer = await pipeline.request(
          timestamp === undefined ? { headers: { 'Svc-Timestamp': undefined } } : { timestamp: timestamp() },
        );
        assert.deepEqual([answer.status, answer.code], [401, 'timestamp_out_of_window']);
      });
    }
    for (const offset of [-298, 299])
      it(`${offset} s → accepted`, async () =>
        assert.equal((await pipeline.request({ timestamp: seconds(offset) })).status, 200));
  });

  describe('checks 5 and 6: nonces and signatures', () => {
    const hex = () => randomBytes(16).toString('hex');
    for (const [title, signed] of [
      ['no nonce', { headers: { 'Svc-Nonce': undefined } }],
      ['a short nonce', { nonce: hex().slice(1) }],
      ['a long nonce', { nonce: `${hex()}0` }],
      ['an upper-case nonce', { nonce: 'ABCDEF0123456789ABCDEF0123456789' }],
      ['no signature', { headers: { 'Svc-Signature': undefined } }],
      ['a signature without its version', { signature: 'a'.repeat(64) }],
      ['an upper-case signature', { signature: `v1=${'A'.repeat(64)}` }],
      ['another version', { signature: `v2=${'a'.repeat(64)}` }],
      ['all zeros', { signature: `v1=${'0'.repeat(64)}` }],
      ['another secret', { key: { keyId: '', secret: 'other', operationId: '' } }],
    ] as const) {
      it(`${title} → invalid_signature`, async () => {
        await unlimited(pipeline);
        const key = 'key' in signed ? { ...pipeline.key, secret: signed.key.secret } : pipeline.key;
        const answer = await pipeline.request({ ...signed, key });
        assert.deepEqual([answer.status, answer.code], [401, 'invalid_signature']);
      });
    }
    for (const [title, change] of [
      ['method', { method: 'HEAD' }],
      ['query', { target: '/v1/ping?a=2' }],
      ['path', { target: '/v1/deposits?a=1' }],
      ['body', { body: '{"note":"b"}' }],
    ] as const) {
      it(`the ${title} was changed after signing → 401`, async () => {
        await unlimited(pipeline);
        const { sign, send } = await import('./harness.js');
        const signed = sign({ key: pipeline.key, target: '/v1/ping?a=1', body: '' });
        const answer = await send(pipeline.port, {
          ...signed,
          ...change,
          body: Buffer.from('body' in change ? change.body : ''),
        });
        assert.equal(answer.status, 401);
      });
    }
    it('the query is signed as sent: not sorted, not decoded', async () => {
      for (const target of ['/v1/ping?b=2&a=1&a=1', '/v1/ping?x=%7e%C3%A9', '/v1/ping?'])
        assert.equal((await pipeline.request({ target })).status, 200, target);
    });
  });

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

  it('of 50 parallel copies of one request over two processes exactly one passes', async () => {
    await unlimited(pipeline);
    const second = await pipeline.another();
    const nonce = randomBytes(16).toString('hex');
    const timestamp = seconds(0);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        pipeline.request({ nonce, timestamp }, index % 2 === 0 ? pipeline.port : second.port),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ code }) => code === 'replayed_nonce').length, 49);
  });

  it('two copies of one request from different addresses: the second waits for the first and is refused', async () => {
    const key = await pipeline.createKey();
    const admit = `SELECT refused_check, code FROM authenticate_request($1, 200, 200, 'signed', 20, $2, 'sandbox', $3, 150, 10000, '{}', '{}', '{}')`;
    const [first, later] = [await pipeline.sql.connect(), await pipeline.sql.connect()];
    try {
      await first.query('BEGIN');
      assert.deepEqual((await first.query(admit, ['192.0.2.1', key.keyId, 'c'.repeat(32)])).rows, [
        { refused_check: null, code: null },
      ]);
      const waiting = later.query(admit, ['192.0.2.2', key.keyId, 'c'.repeat(32)]);
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

  it('costs one round trip to Postgres for a GET, three for a POST, once the key is known', async () => {
    const observed = observeDatabase(pipeline.databaseUrl);
    const { port } = await pipeline.another({ database: observed.database });
    const tripsOf = async (signed: Signed) => {
      observed.forget();
      assert.ok((await pipeline.request(signed, port)).status < 300);
      return observed.statements.length;
    };
    assert.equal(await tripsOf({}), 2, 'the key is read once');
    assert.equal(await tripsOf({ target: '/v1/deposits' }), 1);
    assert.equal(await tripsOf({ method: 'POST', target: '/v1/deposits', body: '{}' }), 3);
    await observed.close();
  });

  it('a foreign address raises one alert, however often it comes', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query(`INSERT INTO allowed_network VALUES ($1, '192.0.2.0/24')`, [key.operationId]);
    for (let time = 0; time < 3; time += 1) assert.equal((await pipeline.request({ key })).code, 'ip_not_allowed');
    const { rows } = await pipeline.sql.query('SELECT kind, object_id FROM alert WHERE operation_id = $1', [
      key.operationId,
    ]);
    assert.deepEqual(rows, [{ kind: 'IP_NOT_ALLOWED', object_id: key.keyId }]);
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

  describe('targets are matched byte by byte', () => {
    for (const [method, target, status] of [
      ['GET', '/v1/ping/', 404],
      ['GET', '/V1/ping', 404],
      ['GET', '/v1/PING', 404],
      ['GET', '//v1/ping', 404],
      ['GET', '/v1//ping', 404],
      ['GET', '/v1/./ping', 404],
      ['GET', '/v1/deposits/../ping', 404],
      ['GET', '/v1/%70ing', 404],
      ['GET', '/ping', 404],
      ['GET', '/', 404],
      ['GET', '/v1', 404],
      ['GET', '/v1/deposits/dep_1%2Fcancel', 404],
      ['GET', '/v1/deposits/%64ep_1', 404],
      ['GET', '/v1/deposits/dep_1/', 404],
      ['GET', '/v1/deposits/wdr_1', 404],
      ['GET', '/v1/deposits/dep_', 404],
      ['GET', '/v1/openapi.yaml/', 404],
      ['GET', 'http://127.0.0.1/v1/ping', 404],
      ['HEAD', '/v1/ping', 403],
      ['TRACE', '/v1/ping', 403],
      ['PUT', '/v1/ping', 403],
      ['DELETE', '/v1/deposits/dep_1', 403],
      ['OPTIONS', '/v1/deposits', 403],
      ['POST', '/v1/ping', 403],
      ['GET', '/v1/deposits/dep_1/cancel', 403],
      ['PUT', '/v1/nowhere', 404],
      ['GET', '/v1/players/a:b_c.d-e/limits', 200],
      ['GET', '/v1/players/a%3Ab/limits', 200],
    ] as const) {
      it(`${method} ${target} → ${status}`, async () => {
        const answer = await pipeline.request({ method, target });
        assert.equal(answer.status, status, answer.text);
      });
    }
    it('a colon may be encoded', async () => {
      const answer = await pipeline.request({ target: '/v1/players/a%3Ab/limits' });
      assert.deepEqual(answer.json?.['params'], { external_ref: 'a:b' });
    });
  });

  describe('check 13: Idempotency-Key', () => {
    for (const [title, value] of [
      ['15 characters', 'a'.repeat(15)],
      ['129 characters', 'a'.repeat(129)],
      ['a space', `${'a'.repeat(16)} b`],
      ['twice', ['a'.repeat(16), 'b'.repeat(16)]],
      ['empty', ''],
    ] as const) {
      it(`${title} → required`, async () => {
        const answer = await pipeline.request({
          method: 'POST',
          target: '/v1/deposits',
          body: '{}',
          headers: { 'Idempotency-Key': value as string },
        });
        const [first] = answer.json?.['errors'] as { field: string; reason: string }[];
        assert.deepEqual(
          [answer.status, answer.code, first?.field, first?.reason],
          [400, 'validation_failed', 'Idempotency-Key', 'required'],
        );
      });
    }
    for (const length of [16, 128]) {
      it(`${length} characters → accepted`, async () => {
        const headers = { 'Idempotency-Key': `${randomBytes(8).toString('hex')}${'.'.repeat(112)}`.slice(0, length) };
        assert.equal(
          (await pipeline.request({ method: 'POST', target: '/v1/deposits', body: '{}', headers })).status,
          201,
        );
      });
    }
  });

  it('check 14: sandbox routes stay up during an outage, with Retry-After 5 elsewhere', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query('UPDATE operation SET outage = true WHERE id = $1', [key.operationId]);
    const down = await pipeline.request({ key });
    assert.deepEqual([down.status, down.headers['retry-after']], [503, '5']);
    assert.equal(
      (await pipeline.request({ key, method: 'POST', target: '/v1/sandbox/outage', body: '{"down":false}' })).status,
      200,
    );
    assert.equal((await pipeline.request()).status, 200, 'another operation is not down');
  });
});

function assertProblem({ status, headers, json, code }: Answer): void {
  assert.equal(headers['content-type'], 'application/problem+json');
  assert.equal(json?.['title'], code);
  assert.equal(json?.['type'], `http://docs.test/errors/${String(code)}`);
  assert.equal(json?.['status'], status);
  assert.equal(json?.['trace_id'], headers['svc-trace-id']);
  assert.equal(typeof json?.['retryable'], 'boolean');
  if (status === 429 || status === 503) assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
}
