// The log of an operation's own calls: what was signed and why it was refused, and nothing about players.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import pino from 'pino';
import { BatchedLog } from '../../../platform/telemetry/batched-log.js';
import { createDatabase } from '../../../store/database.js';
import { type LoggedCall, readCalls, type StoredCall, storeCalls } from '../../../store/requests/request-log.js';
import { type Pipeline, startPipeline } from './harness.js';

const TRACE = 'a'.repeat(31);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the log of calls', () => {
  let pipeline: Pipeline;
  let calls: BatchedLog<LoggedCall>;

  before(async function () {
    this.timeout(60_000);
    calls = new BatchedLog('calls', (batch) => storeCalls(pipeline.database, batch), pino({ level: 'silent' }));
    pipeline = await startPipeline({ calls });
    // The first query of a pool is slow.
    await pipeline.request();
    await calls.flush();
  });
  after(async () => {
    await calls.stop();
    await pipeline.close();
  });
  beforeEach(() => pipeline.sql.query('TRUNCATE request_log, rate_bucket, signature_failures'));

  async function logged(operationId = pipeline.key.operationId, isRefused?: boolean): Promise<readonly StoredCall[]> {
    await calls.flush();
    const filter = { operationId, traceId: undefined, isRefused, beforeId: undefined, limit: 50 };
    return (await readCalls(pipeline.database, filter)).calls;
  }

  it('a call: its trace, key, template and digests, under the operation of its key alone', async () => {
    const [nonce, timestamp] = ['0'.repeat(32), String(Math.floor(Date.now() / 1_000))];
    const target = '/v1/players/player-1001/limits?currency=BRL&x=52998224725';
    await pipeline.request({ target, nonce, timestamp, headers: { 'Svc-Trace-Id': `${TRACE}1` } });
    const [call, ...more] = await logged();
    assert.deepEqual(more, []);
    const { id: _, receivedAt, durationMs, ...rest } = call!;
    assert.ok(Math.abs(Date.parse(receivedAt) - Date.now()) < 10_000 && durationMs < 10_000);
    assert.deepEqual(rest, {
      keyId: pipeline.key.keyId,
      traceId: `${TRACE}1`,
      isSigned: true,
      method: 'GET',
      route: '/v1/players/{external_ref}/limits',
      objectId: null,
      status: 200,
      code: null,
      detail: null,
      errors: [],
      isReplayed: false,
      address: '127.0.0.1',
      signedTimestamp: timestamp,
      signedNonce: nonce,
      bodySha256: sha256(''),
      canonicalSha256: sha256(['v1', timestamp, nonce, 'GET', target, sha256('')].join('\n')),
    });
    assert.deepEqual(await logged((await pipeline.createKey()).operationId), []);
  });

  it('a refusal says why, and whether the key signed it', async () => {
    await pipeline.request({ signature: `v1=${'0'.repeat(64)}` });
    await pipeline.request({ timestamp: '1' });
    await pipeline.request({ target: '/v1/nothing/player-1001' });
    await pipeline.request({
      key: await pipeline.createKey({ operation: pipeline.key.operationId, scopes: [] }),
      target: '/v1/deposits',
    });
    await pipeline.request({ target: '/v1/deposits?limit=many' });
    assert.deepEqual(
      (await logged(undefined, true))
        .map(({ code, isSigned, route, status }) => [status, code, isSigned, route])
        .reverse(),
      [
        [401, 'invalid_signature', false, '/v1/ping'],
        [401, 'timestamp_out_of_window', false, '/v1/ping'],
        [404, 'not_found', true, null],
        [403, 'insufficient_scope', true, '/v1/deposits'],
        [400, 'validation_failed', true, '/v1/deposits'],
      ],
    );
    assert.deepEqual(await logged(undefined, false), []);
  });

  it('a repeat with the recorded refusal is marked, and names a field unless its sender did', async () => {
    const post = (body: string, key: string) =>
      pipeline.request({ method: 'POST', target: '/v1/deposits', body, headers: { 'Idempotency-Key': key } });
    for (let time = 0; time < 2; time += 1) await post('{"note":1,"52998224725":"Maria"}', 'request-log-0000000001');
    const [second, first] = await logged();
    assert.deepEqual([first?.isReplayed, second?.isReplayed], [false, true]);
    assert.deepEqual(second?.errors, first?.errors);
    assert.deepEqual(first?.errors.map(({ field, reason }) => [field, reason]).sort(), [
      [null, 'unknown_field'],
      ['note', 'type'],
    ]);
    const { rows } = await pipeline.sql.query('SELECT row_to_json(request_log)::text AS text FROM request_log');
    for (const { text } of rows) assert.doesNotMatch(text, /52998224725|Maria|request-log-0000/);
  });

  it('calls of nobody, and floods that no key signed, are not logged', async () => {
    await pipeline.request({ key: { ...pipeline.key, keyId: 'key_test_nobody' } });
    for (let time = 0; time < 25; time += 1) await pipeline.request({ signature: `v1=${'0'.repeat(64)}` });
    const refused = await logged();
    assert.ok(refused.length > 0 && refused.length <= 20, `${refused.length}`);
    assert.ok(refused.every(({ code }) => code === 'invalid_signature'));
  });

  it('is swept after three days, and the requests to providers after thirty', async () => {
    await pipeline.request();
    await pipeline.request();
    await logged();
    await pipeline.sql.query(`UPDATE request_log SET received_at = now() - interval '73 hours'
      WHERE id = (SELECT min(id) FROM request_log)`);
    await pipeline.sql.query(`INSERT INTO provider_exchange
      (payment_id, provider, call, method, path, status, step_at, started_at, duration_ms, stored_at)
      SELECT 'dep_' || days, 'a', 'createCharge', 'PUT', '/cob/{…}', 201, now(), now(), 1, now() - days * interval '1 day'
      FROM unnest('{29,31}'::int[]) AS days`);
    await pipeline.sql.query('SELECT sweep_requests(100)');
    assert.equal((await logged()).length, 1);
    const { rows } = await pipeline.sql.query('SELECT payment_id FROM provider_exchange');
    assert.deepEqual(rows, [{ payment_id: 'dep_29' }]);
  });

  it('without its database no call waits, and the next ones are logged', async () => {
    const unreachable = createDatabase({
      url: 'postgresql://gateway_api@127.0.0.1:1/none',
      poolSize: 1,
      connectTimeoutMs: 500,
      statementTimeoutMs: 500,
    });
    let isUp = false;
    const log = new BatchedLog<LoggedCall>(
      'calls',
      (batch) => storeCalls(isUp ? pipeline.database : unreachable, batch),
      pino({ level: 'silent' }),
    );
    const { port } = await pipeline.another({ calls: log });
    assert.equal((await pipeline.request({}, port)).status, 200);
    await log.flush();
    isUp = true;
    await pipeline.request({}, port);
    await log.stop();
    assert.equal((await logged()).length, 1);
    await unreachable.$disconnect();
  });
});
