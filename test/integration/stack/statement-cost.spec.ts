// What requests and a deposit's life cycle cost in round trips to Postgres, over all processes. Numbers may only fall.
import assert from 'node:assert/strict';
import { depositLifeCycle } from '../../../lab/harness/request-costs.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';

const MOST_STATEMENTS_OF_A_DEPOSIT = 11;

describe('statement cost', () => {
  let stack: Stack;
  before(async function () {
    this.timeout(120_000);
    stack = await startStack();
  });
  after(() => stack.close());

  it('deposit: created → pending → paid with two deliveries', async () => {
    const statements = await depositLifeCycle(stack);
    console.log(`      ${statements.length} statements`);
    assert.ok(
      statements.some((text) => text.includes('claim_idempotency_key')),
      'counts what the api asks',
    );
    assert.ok(
      statements.some((text) => text.includes('webhook_delivery')),
      'counts what the worker asks',
    );
    assert.ok(statements.length <= MOST_STATEMENTS_OF_A_DEPOSIT, statements.join('\n'));
  }).timeout(60_000);
});
