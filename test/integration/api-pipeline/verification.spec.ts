// Every check of "Server verification order" alone, and every pair of simultaneous faults: the earlier one answers.
import assert from 'node:assert/strict';
import { type Answer, type Pipeline, type Signed, startPipeline } from './harness.js';
import { type Fault, FAULTS, unlimited } from './faults.js';

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
