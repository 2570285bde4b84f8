// The pipeline end to end, in the plain cases.
import assert from 'node:assert/strict';
import pino from 'pino';
import { type Pipeline, startPipeline } from './harness.js';

describe('the request pipeline', () => {
  const logged: string[] = [];
  let pipeline: Pipeline;
  before(async function () {
    this.timeout(60_000);
    pipeline = await startPipeline({
      log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    });
  });
  after(() => pipeline?.close());

  it('answers a signed GET', async () => {
    const answer = await pipeline.request();
    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers['svc-trace-id']), /^[0-9a-f]{32}$/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['server'], undefined);
    assert.equal(answer.headers['x-powered-by'], undefined);
  });

  it('answers a public GET unsigned', async () => {
    const answer = await fetch(`${pipeline.url}/v1/openapi.yaml`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/yaml');
    assert.match(String(answer.headers.get('svc-trace-id')), /^[0-9a-f]{32}$/);
  });

  it('logs trace id, address, and the payment that a request makes or names, and nothing else of the path', async () => {
    const headers = { 'Idempotency-Key': 'smoke-test-0000000002' };
    const { json } = await pipeline.request({ method: 'POST', target: '/v1/deposits', body: '{"note":"x"}', headers });
    const id = String(json?.['id']);
    for (const target of [`/v1/deposits/${id}`, '/v1/deposits/maria', '/v1/players/maria/limits'])
      await pipeline.request({ target });
    const requests = logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request')
      .slice(-4);
    assert.deepEqual(
      requests.map(({ objectId }) => objectId),
      [id, id, undefined, undefined],
    );
    for (const { address } of requests) assert.equal(address, '127.0.0.1');
    for (const { traceId } of requests) assert.match(String(traceId), /^[0-9a-f]{32}$/);
    assert.ok(!logged.join('').includes('maria'));
  });
});
