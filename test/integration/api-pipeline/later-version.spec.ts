// `Sandbox-Later-Version` shows an integration what a later version may answer, and changes nothing that is kept.
import assert from 'node:assert/strict';
import { newIdempotencyKey, type Pipeline, startPipeline } from './harness.js';

const LATER = { 'Sandbox-Later-Version': 'true' };
const NEW_FIELD = { field_of_a_later_version: { any: ['value', null, 1] } };
const DEPOSIT = {
  id: 'dep_1',
  status: 'under_review',
  player: { document: { type: 'CPF', number: '1' } },
  metadata: { type: 'mine' },
  reasons: ['PAYER_MISMATCH'],
};

describe('answers of a later version', function () {
  this.timeout(60_000);
  let sandbox: Pipeline;
  before(async () => {
    sandbox = await startPipeline();
    sandbox.handlers['get'] = (() => Promise.resolve({ status: 200, body: DEPOSIT })) as never;
  });
  after(() => sandbox?.close());

  it('have new values and fields; what the operator sent is as it was', async () => {
    const { json } = await sandbox.request({ target: '/v1/deposits/dep_1', headers: LATER });
    assert.deepEqual(json, {
      ...DEPOSIT,
      status: 'status_of_a_later_version',
      player: { ...DEPOSIT.player, ...NEW_FIELD },
      reasons: ['PAYER_MISMATCH', 'REASON_OF_A_LATER_VERSION'],
      ...NEW_FIELD,
    });
    assert.deepEqual((await sandbox.request({ target: '/v1/deposits/dep_1' })).json, DEPOSIT);
  });

  it('are given of refusals too: an unknown code with its status', async () => {
    const { status, json } = await sandbox.request({ target: '/v1/nothing', headers: LATER });
    assert.deepEqual([status, json?.['code'], json?.['status']], [404, 'code_of_a_later_version', 404]);
    assert.equal(json?.['title'], json?.['code'], 'as the specification has it');
    assert.match(String(json?.['type']), /\/code_of_a_later_version$/);
  });

  it('are not what a repeat gets: the first answer is kept as it is', async () => {
    const once = {
      method: 'POST',
      target: '/v1/deposits',
      body: '{}',
      headers: { 'Idempotency-Key': newIdempotencyKey() },
    };
    const first = await sandbox.request({ ...once, headers: { ...once.headers, ...LATER } });
    assert.ok(JSON.stringify(first.json).includes('of_a_later_version'), JSON.stringify(first.json));
    const again = await sandbox.request(once);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.ok(!JSON.stringify(again.json).includes('of_a_later_version'));
  });

  it('do not exist in production', async () => {
    const production = await startPipeline({ environment: 'production' });
    try {
      const { json } = await production.request({ target: '/v1/nothing', headers: LATER });
      assert.ok(!JSON.stringify(json).includes('of_a_later_version'), JSON.stringify(json));
    } finally {
      await production.close();
    }
  });
});
