// The sandbox actions on withdrawals, over Postgres and a scripted Temporal.
import assert from 'node:assert/strict';
import type { CallerOperation } from '../../../contract/http/route.js';
import { SANDBOX_WITHDRAWAL_ACTIONS } from '../../../contract/http/sandbox-routes.js';
import { newId, payoutReferenceOf } from '../../../domain/identifiers.js';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '../../../domain/payments/withdrawal.js';
import { readAct } from '../../../store/staff/acts.js';
import { type Message, NO_ANSWER } from './support/fake-temporal.js';
import { Harness } from './support/harness.js';

describe('sandbox withdrawals (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    harness.steering.reset();
    operation = await harness.operation();
  });

  const act = (action: string, id: string) =>
    harness.call('sandboxActOnWithdrawal', { operation, params: { id, action } });

  /** From which states each action acts; specification, "Sandbox control surface", and design section 5. */
  const FROM: Readonly<Record<string, readonly WithdrawalStatus[]>> = {
    approve: ['under_review'],
    reject: ['under_review'],
    pay: ['approved', 'processing'],
    fail: ['approved', 'processing'],
    return: ['paid'],
  };
  const RESULTS: Readonly<Record<string, WithdrawalStatus>> = {
    approve: 'approved',
    reject: 'rejected',
    pay: 'paid',
    fail: 'failed',
    return: 'returned',
  };

  for (const action of SANDBOX_WITHDRAWAL_ACTIONS) {
    for (const status of WITHDRAWAL_STATUSES) {
      const isAllowed = FROM[action]?.includes(status) ?? false;
      it(`${action} from ${status} → ${isAllowed ? RESULTS[action] : 409}`, async () => {
        const withdrawal = await harness.insertWithdrawal(operation, { status });
        const to = RESULTS[action] ?? status;
        const move = async ({ args }: Message) => {
          const [{ actId = '' } = {}] = args as { actId?: string }[];
          await harness.setWithdrawal(withdrawal.id, { status: to, version: 5, decidedBy: [{ actId }] });
          return { kind: 'done', status: to, snapshot: { ...withdrawal, status: to, version: 5 } };
        };
        harness.temporal.script('review', move);
        harness.temporal.script('refresh', move);
        const answer = await act(action, withdrawal.id);
        if (isAllowed) assert.deepEqual([answer.status, answer.body['status'], answer.body['version']], [200, to, 5]);
        else {
          assert.equal(answer.code, 'invalid_state_transition');
          assert.deepEqual([harness.temporal.messages, harness.steering.calls], [[], []]);
        }
      });
    }
  }

  it('each review is another person’s', async () => {
    const earlier = { person: 'Ana', decision: 'approve', reason: '', at: '2026-11-21T12:00:00.000Z' } as const;
    const withdrawal = await harness.insertWithdrawal(operation, {
      decision: {
        mode: 'manual',
        reasons: ['DUAL_APPROVAL_REQUIRED'],
        ruleSetVersion: 1,
        decidedBy: [earlier],
        decidedAt: null,
      },
    });
    harness.temporal.script('review', () => ({ kind: 'done', snapshot: withdrawal }));
    await act('approve', withdrawal.id);
    const [review] = harness.temporal.messages[0]?.args as [{ actId: string; decision: string }];
    const stored = await readAct(harness.database, review.actId);
    assert.deepEqual(
      [stored?.handle, stored?.kind, stored?.subjectId, review.decision],
      ['sandbox reviewer 2', 'withdrawal.approve', withdrawal.id, 'approve'],
    );
  });

  it('a review that only the answer says is done: 503', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'under_review' });
    harness.temporal.forge('review', () => ({ kind: 'done', snapshot: { ...withdrawal, status: 'approved' } }));
    assert.equal((await act('approve', withdrawal.id)).code, 'service_unavailable');
  });

  it('pay from approved waits for the payout to reach the provider', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    harness.steering.answer = () =>
      harness.steering.calls.length < 3 ? { kind: 'not_found' } : { kind: 'done', endToEndId: 'E' };
    harness.temporal.script('refresh', () => ({ ...withdrawal, status: 'paid' }));
    assert.equal((await act('pay', withdrawal.id)).status, 200);
    assert.deepEqual(
      harness.steering.calls,
      Array.from({ length: 3 }, () => `paid simulator ${payoutReferenceOf(withdrawal.id)}`),
    );
  });

  it('pay: asks until the withdrawal shows the result', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'processing' });
    let asked = 0;
    harness.temporal.script('refresh', async () => {
      asked += 1;
      if (asked === 1) return { ...withdrawal, status: 'processing' };
      await harness.setWithdrawal(withdrawal.id, { status: 'paid', version: 5 });
      return { ...withdrawal, status: 'paid' };
    });
    assert.deepEqual([(await act('pay', withdrawal.id)).body['status'], asked], ['paid', 2]);
  });

  it('pay from approved, ordered in advance, and cancelled before it left → 409', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    harness.temporal.script('refresh', async () => {
      await harness.setWithdrawal(withdrawal.id, { status: 'cancelled', version: 3 });
      throw NO_ANSWER;
    });
    assert.equal((await act('pay', withdrawal.id)).code, 'invalid_state_transition');
  });

  it('pay from approved, and it still waits for its send → 200 as it is', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    harness.temporal.script('refresh', () => {
      throw NO_ANSWER;
    });
    const answer = await act('pay', withdrawal.id);
    assert.deepEqual([answer.status, answer.body['status']], [200, 'approved']);
  });

  it('pay from approved, and the send was lost on its way: the bank finds it, and it is paid', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    const reference = payoutReferenceOf(withdrawal.id);
    await harness.database.payoutSend.create({
      data: { withdrawalId: withdrawal.id, reference, state: 'claimed', clearedAt: new Date() },
    });
    // Ordered in advance, for a payout that has not arrived.
    harness.steering.answer = () => ({ kind: 'done', endToEndId: null });
    harness.temporal.script('refresh', async () => {
      if (harness.steering.calls.length < 2) return { ...withdrawal };
      await harness.setWithdrawal(withdrawal.id, { status: 'paid', version: 3 });
      return { ...withdrawal, status: 'paid' };
    });
    assert.equal((await act('pay', withdrawal.id)).body['status'], 'paid');
    assert.deepEqual(harness.steering.calls, [
      `paid simulator ${reference}`,
      `find simulator ${reference} ${withdrawal.amountMinor}`,
    ]);
  });

  it('pay from approved, ordered in advance, and no permission to send was given: nothing is found', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    harness.steering.answer = () => ({ kind: 'done', endToEndId: null });
    harness.temporal.script('refresh', () => ({ ...withdrawal }));
    assert.equal((await act('pay', withdrawal.id)).body['status'], 'approved');
    assert.deepEqual(harness.steering.calls, [`paid simulator ${payoutReferenceOf(withdrawal.id)}`]);
  });

  it('pay from approved, and the payout never leaves → 409', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    harness.steering.answer = () => ({ kind: 'not_found' });
    assert.equal((await act('pay', withdrawal.id)).code, 'invalid_state_transition');
    assert.ok(harness.steering.calls.length > 1);
  });

  it('pay from approved, cancelled meanwhile → 409 at once', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'approved' });
    harness.steering.answer = async () => {
      await harness.setWithdrawal(withdrawal.id, { status: 'cancelled', version: 3 });
      return { kind: 'not_found' };
    };
    assert.equal((await act('pay', withdrawal.id)).code, 'invalid_state_transition');
    assert.equal(harness.steering.calls.length, 1);
  });

  it('an unknown action, an unknown withdrawal → 404', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, {});
    assert.equal((await act('explode', withdrawal.id)).code, 'not_found');
    assert.equal((await act('constructor', withdrawal.id)).code, 'not_found');
    assert.equal((await act('approve', newId('withdrawal'))).code, 'not_found');
  });
});
