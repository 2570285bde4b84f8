// Which runs under a payment's id are the gateway's, by the event that started them.
import assert from 'node:assert/strict';
import { payloadConverter } from '../../../contract/temporal/payload-converter.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { type RunOwner, whyImpostor } from '../../../platform/temporal/open-runs.js';

const DEPOSIT: RunOwner = { kind: 'deposit', id: 'dep_1', operationId: 'op_1' };
const WITHDRAWAL: RunOwner = { kind: 'withdrawal', id: 'wdr_1', operationId: 'op_1' };
const CHANGE: RunOwner = { kind: 'rule_change', id: 'chg_1', operationId: 'op_1' };
const NOT_OURS = 'the gateway did not write its input';

interface Start {
  readonly type?: string;
  readonly queue?: string;
  readonly input?: readonly unknown[];
}

/** Why a run with this start is an impostor. Orders whose proof is `ours` are proven. */
function why(owner: RunOwner, { type, queue = TASK_QUEUES.payments, input = [] }: Start) {
  const types = { deposit: 'deposit', withdrawal: 'withdrawal', rule_change: 'ruleChange' };
  const start = {
    workflowType: { name: type ?? types[owner.kind] },
    taskQueue: { name: queue },
    input: { payloads: input.map((value) => payloadConverter.toPayload(value)) },
    // What the server says of it makes no input true.
    continuedExecutionRunId: 'run-0',
  };
  return whyImpostor(owner, start, (_, { proof }) => proof === 'ours');
}

describe('the workflow of an open payment or rule change', () => {
  const reopen = { kind: 'reopen', id: 'dep_1', operationId: 'op_1' };
  const order = { id: 'dep_1', operationId: 'op_1', proof: 'ours' };

  it('is the gateway’s: created, reopened or continued from its row, a rule change', () => {
    assert.equal(why(DEPOSIT, { input: [{ kind: 'create', order }] }), null);
    assert.equal(why(DEPOSIT, { input: [reopen] }), null);
    const created = { id: 'wdr_1', operationId: 'op_1', proof: 'ours' };
    assert.equal(why(WITHDRAWAL, { input: [{ kind: 'create', order: created }] }), null);
    assert.equal(why(WITHDRAWAL, { input: [{ kind: 'reopen', id: 'wdr_1', operationId: 'op_1' }] }), null);
    assert.equal(why(CHANGE, { input: [{ changeId: 'chg_1', operationId: 'op_1' }] }), null);
  });

  it('is an impostor of another type or task queue', () => {
    assert.equal(why(DEPOSIT, { type: 'withdrawal', input: [reopen] }), 'its type is another');
    assert.equal(why(DEPOSIT, { queue: 'attacker', input: [reopen] }), 'its task queue is another');
  });

  for (const [name, start] of Object.entries<Start>({
    'an order that nobody proved': { input: [{ kind: 'create', order: { ...order, proof: 'none' } }] },
    'the order of another payment': { input: [{ kind: 'create', order: { ...order, id: 'dep_2' } }] },
    'the order of another operation': { input: [{ kind: 'create', order: { ...order, operationId: 'op_2' } }] },
    'no order': { input: [{ kind: 'create' }] },
    'reopened, for another payment': { input: [{ ...reopen, id: 'dep_2' }] },
    'reopened, with more than the ids': { input: [{ ...reopen, status: 'paid' }] },
    'continued, with a state that somebody says': {
      input: [{ kind: 'continue', carried: { context: { id: 'dep_1', operationId: 'op_1' }, lookUpAt: '9999' } }],
    },
    'another input': { input: [{ kind: 'pay' }] },
  }))
    it(`is an impostor by its input: ${name}`, () => assert.equal(why(DEPOSIT, start), NOT_OURS));

  it('is an impostor whose input cannot be read', () => {
    for (const input of [[], [null], ['text'], [reopen, reopen]])
      assert.equal(why(DEPOSIT, { input }), 'its input cannot be read');
  });
});
