// Fails closed: with Postgres down nothing is let through and no handler runs.
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createDatabase } from '../../../store/database.js';
import type { Answer, Pipeline } from './harness.js';
import { startPipeline } from './harness.js';

describe('with a dependency down', function () {
  this.timeout(60_000);
  let pipeline: Pipeline;
  const logged: string[] = [];
  before(async () => {
    pipeline = await startPipeline({
      log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    });
  });
  after(() => pipeline?.close());

  const assertUnavailable = (answer: Answer) => {
    assert.deepEqual(
      [answer.status, answer.code, answer.json?.['retryable']],
      [503, 'service_unavailable', true],
      answer.text,
    );
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
  };

  it('no Postgres at all → 503 for every request, also badly signed ones; no handler runs', async () => {
    const nowhere = createDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      poolSize: 2,
      connectTimeoutMs: 300,
      statementTimeoutMs: 300,
    });
    const { port } = await pipeline.another({
      database: nowhere,
      health: { postgres: () => nowhere.$queryRaw`SELECT 1` },
    });
    const before = new Map(pipeline.runs);
    for (const signed of [
      {},
      { method: 'POST', target: '/v1/deposits', body: '{}' },
      { signature: 'v1=x' },
      { headers: { 'Svc-Key-Id': 'x' } },
      { target: '/v1/openapi.yaml' },
    ]) {
      assertUnavailable(await pipeline.request(signed, port));
    }
    assert.deepEqual(pipeline.runs, before);
    const health = await fetch(`http://127.0.0.1:${port}/healthz`);
    assert.deepEqual(
      [health.status, await health.json()],
      [503, { ready: false }],
      'what is down is nobody’s business',
    );
    await nowhere.$disconnect();
  });

  it('a body over 64 KiB is refused without Postgres', async () => {
    const nowhere = createDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      poolSize: 2,
      connectTimeoutMs: 300,
      statementTimeoutMs: 300,
    });
    const { port } = await pipeline.another({ database: nowhere });
    assert.equal(
      (await pipeline.request({ method: 'POST', target: '/v1/deposits', body: 'x'.repeat(70_000) }, port)).status,
      413,
    );
    await nowhere.$disconnect();
  });

  it('the nonces cannot be kept → 503, and the handler does not run', async () => {
    await pipeline.sql.query('ALTER TABLE nonce RENAME TO nonce_gone');
    const before = pipeline.runs.get('ping') ?? 0;
    assertUnavailable(await pipeline.request());
    assert.equal(pipeline.runs.get('ping') ?? 0, before);
    await pipeline.sql.query('ALTER TABLE nonce_gone RENAME TO nonce');
    assert.equal((await pipeline.request()).status, 200);
  });

  it('the rates cannot be counted → 503', async () => {
    await pipeline.sql.query('ALTER TABLE rate_bucket RENAME TO rate_bucket_gone');
    assertUnavailable(await pipeline.request());
    await pipeline.sql.query('ALTER TABLE rate_bucket_gone RENAME TO rate_bucket');
  });

  it('the vault cannot open the secret → 503', async () => {
    const key = await pipeline.createKey();
    await pipeline.sql.query(`UPDATE api_key SET secret_sealed = decode('026b39', 'hex') WHERE key_id = $1`, [
      key.keyId,
    ]);
    assertUnavailable(await pipeline.request({ key }));
  });

  it('Idempotency-Keys cannot be claimed → 503, and the handler does not run', async () => {
    await pipeline.sql.query('ALTER TABLE idempotency_key RENAME TO idempotency_key_gone');
    const before = pipeline.runs.get('create') ?? 0;
    assertUnavailable(await pipeline.request({ method: 'POST', target: '/v1/deposits', body: '{}' }));
    assert.equal(pipeline.runs.get('create') ?? 0, before);
    await pipeline.sql.query('ALTER TABLE idempotency_key_gone RENAME TO idempotency_key');
  });

  it('the response cannot be recorded → 503, so that nobody relies on it', async () => {
    await pipeline.sql.query(
      `CREATE FUNCTION refuse_finish() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await pipeline.sql.query(
      `CREATE TRIGGER refuse_finish BEFORE UPDATE ON idempotency_key FOR EACH ROW WHEN (NEW.state = 'finished')
        EXECUTE FUNCTION refuse_finish()`,
    );
    assertUnavailable(await pipeline.request({ method: 'POST', target: '/v1/deposits', body: '{}' }));
    await pipeline.sql.query('DROP TRIGGER refuse_finish ON idempotency_key');
  });

  it('an exception of a handler is 500, and its message is nowhere: not in the answer, not in the log', async () => {
    const answer = await pipeline.request({ method: 'POST', target: '/v1/deposits', body: '{"note":"crash"}' });
    assert.deepEqual(
      [answer.status, answer.code, answer.json?.['retryable'], answer.json?.['detail']],
      [500, 'internal_error', true, 'An internal error; repeat with the same Idempotency-Key.'],
    );
    assert.ok(!answer.text.includes('S3CRET'));
    assert.ok(
      logged.some((line) => line.includes('a handler failed') && line.includes('"at ')),
      'the place is logged',
    );
    assert.ok(!logged.some((line) => line.includes('S3CRET')));
  });

  it('logs name the key and the operation of an accepted request, never its headers, body or target', async () => {
    logged.length = 0;
    await pipeline.request({
      method: 'POST',
      target: '/v1/deposits?q=QUERYVALUE',
      body: '{"note":"BODYVALUE"}',
      nonce: 'f'.repeat(32),
    });
    const text = logged.join('');
    assert.ok(text.includes(pipeline.key.keyId) && text.includes(pipeline.key.operationId));
    for (const secret of ['QUERYVALUE', 'BODYVALUE', 'f'.repeat(32), 'v1=', pipeline.key.secret])
      assert.ok(!text.includes(secret), secret);
  });
});
