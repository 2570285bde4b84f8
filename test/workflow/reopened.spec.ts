// A payment whose workflow was lost continues from its row: what is known of a send, a return that was asked for, what
// the rules never judged.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import type { DepositCase } from './harness/deposit-case.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const RESERVED = { available: -3000, pending_out: 3000 };

describe('reopened', () => {
  const gateway = useGateway();

  /** Terminates the workflow and starts it again, as `gateway workflow verify --refresh` does. */
  async function reopen(one: DepositCase | WithdrawalCase): Promise<void> {
    await one.handle.terminate('lost');
    await one.reopen();
  }

  async function unknownPayout(): Promise<WithdrawalCase> {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    await eventually(() => withdrawal.sendState() === 'claimed', 'it was sent, or may have been');
    return withdrawal;
  }

  it('after the send may have left: a cancel comes too late, lists do not cancel it, it is looked up at once', async () => {
    const withdrawal = await unknownPayout();
    withdrawal.ruling.dispatch.destinationBlocked = true;
    const looked = withdrawal.payout.lookups;
    await reopen(withdrawal);
    await eventually(() => withdrawal.payout.lookups > looked, 'it is looked up at once');
    const cancelled = await withdrawal.cancel();
    assert.equal(cancelled !== 'closed' && cancelled.kind, 'invalid_state');
    await withdrawal.expectOutcome({
      status: 'approved',
      version: 1,
      events: ['withdrawal.approved@1'],
      ledger: RESERVED,
    });
    assert.equal(withdrawal.payout.sendsThatLeft, 1, 'it is never sent again');
  });

  it('a payout that provably never left is sent by the later run, once', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push({ kind: 'not_sent', reason: 'ECONNREFUSED' });
    await withdrawal.create();
    await eventually(() => withdrawal.sendState() === 'not_sent', 'nothing left');
    await reopen(withdrawal);
    await withdrawal.expectOutcome({
      status: 'processing',
      version: 2,
      events: ['withdrawal.approved@1', 'withdrawal.processing@2'],
      ledger: RESERVED,
    });
    assert.equal(withdrawal.payout.sendsThatLeft, 1);
  });

  it('a return that was asked for continues; nobody approves meanwhile', async () => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    deposit.charge.returnAnswers.push({ kind: 'pending' }, { kind: 'pending' });
    // Its answer is lost with the run.
    const asked = deposit.review('return').catch(() => undefined);
    await eventually(() => deposit.charge.returns > 0, 'the provider is asked');
    await deposit.handle.terminate('lost');
    await asked;
    await deposit.reopen();
    const approved = await deposit.review('approve', 'bob');
    assert.notEqual(approved !== 'closed' && approved.kind, 'done');
    await deposit.expectOutcome({
      status: 'returned',
      version: 4,
      events: ['deposit.pending@2', 'deposit.under_review@3', 'deposit.returned@4'],
    });
  });

  it('what the rules never judged is judged when they answer; approvals wait for them', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.down.add('creation').add('review');
    await withdrawal.create();
    const refused = await withdrawal.review('approve');
    assert.equal(refused !== 'closed' && refused.kind, 'rules_unavailable');
    await reopen(withdrawal);
    withdrawal.ruling.withdrawal.destinationBlocked = true;
    withdrawal.ruling.down.clear();
    const judged = ['RULES_UNAVAILABLE', 'DESTINATION_BLOCKED'];
    await eventually(() => withdrawal.row.decision.reasons.join() === judged.join(), 'the rules judge it');
    const forbidden = await withdrawal.review('approve');
    assert.equal(forbidden !== 'closed' && forbidden.kind, 'refused_by_rules');
    const rejected = await withdrawal.review('refuse');
    assert.equal(rejected !== 'closed' && rejected.kind, 'done');
    await withdrawal.expectOutcome({
      status: 'rejected',
      version: 2,
      events: ['withdrawal.under_review@1', 'withdrawal.rejected@2'],
    });
  });
});
