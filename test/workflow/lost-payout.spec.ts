// A send that was lost before the provider accepted it: two people writeOff it, after a day without a trace and one
// last look.
import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { writeOffWithdrawal } from '../../contract/temporal/payment.js';
import { newId } from '../../domain/identifiers.js';
import { WRITE_OFF_FAILURES, WRITE_OFF_RULES } from '../../domain/payments/write-off.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';
import { withoutPeople } from './harness/expect-outcome.js';

const RESERVED = { available: -3000, pending_out: 3000 };
const APPROVED = ['withdrawal.approved@1'];
const FAILED = [...APPROVED, 'withdrawal.processing@2', 'withdrawal.failed@3'];
const DAY_SECONDS = 86_400;
/** Enough look-ups without a trace for a write-off. */
const LOOK_UPS_SECONDS = 3_000;
const HELD = { status: 'approved', version: 1, events: APPROVED, ledger: RESERVED } as const;

describe('withdrawal: a send that was lost', () => {
  const gateway = useGateway();

  /** Lost so long ago: the time of its look-ups without a trace, after which only the row is older. */
  async function lostWithdrawal(seconds: number): Promise<WithdrawalCase> {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    const passed = Math.min(seconds, LOOK_UPS_SECONDS);
    await gateway.sleep(passed);
    if (passed < seconds) age(withdrawal, seconds - passed);
    return withdrawal;
  }
  /** As if the look-ups without a trace had begun earlier. */
  function age({ id, database }: WithdrawalCase, seconds: number): void {
    const send = database.withdrawals.record(id)?.send;
    assert.ok(send?.traceless.since, 'it was looked up');
    const since = new Date(Date.parse(send.traceless.since) - seconds * 1_000).toISOString();
    database.withdrawals.leaveSend(id, { ...send, traceless: { ...send.traceless, since } });
  }
  const kindOf = (answer: { kind: string } | 'closed') => (answer === 'closed' ? answer : answer.kind);

  it('approved → processing → failed: two people after a day without a trace; releases the money, records both', async () => {
    const withdrawal = await lostWithdrawal(LOOK_UPS_SECONDS);
    // The day of a run, once.
    await gateway.sleep(DAY_SECONDS);
    const looks = withdrawal.payout.lookups;
    const first = await withdrawal.writeOff('ana');
    assert.deepEqual(first, {
      kind: 'requested',
      snapshot: withoutPeople(withdrawal.row),
      lapsesAt: new Date(Date.parse(withdrawal.row.updatedAt) + WRITE_OFF_RULES.requestHours * 3_600_000).toISOString(),
    });
    await withdrawal.expectOutcome({ ...HELD, alerts: ['PAYOUT_OUTCOME_UNKNOWN'] });
    assert.deepEqual(await withdrawal.writeOff('ben'), {
      kind: 'written_off',
      snapshot: withoutPeople(withdrawal.row),
    });
    await withdrawal.expectOutcome({ status: 'failed', version: 3, events: FAILED });
    assert.ok(withdrawal.payout.lookups > looks, 'one more look was taken');
    const { failureCode, writeOffs = [], decision } = withdrawal.row;
    assert.deepEqual([failureCode, decision.decidedBy], [WRITE_OFF_FAILURES.approved, []]);
    assert.deepEqual(
      writeOffs.map(({ person, decision: word, evidence }) => [person, word, evidence]),
      [
        ['ana', 'request_conclusion', 'ticket 4711'],
        ['ben', 'confirm_conclusion', 'ticket 4711'],
      ],
    );
    assert.equal(withdrawal.payout.sendGate.arrived, 1, 'it is not sent again');
  });

  it('approved → processing: the last look finds it; the second word comes too late', async () => {
    const withdrawal = await lostWithdrawal(DAY_SECONDS + 60);
    await withdrawal.writeOff('ana');
    withdrawal.payout.arriveLate();
    assert.deepEqual(await withdrawal.writeOff('ben'), { kind: 'lapsed', snapshot: withoutPeople(withdrawal.row) });
    await withdrawal.expectOutcome({ status: 'processing', version: 2, events: FAILED.slice(0, 2), ledger: RESERVED });
    assert.equal(kindOf(await withdrawal.writeOff('eva')), 'requested', 'a new request, about what it is now');
  });

  it('approved stays: a callback between the two decisions, and nothing found: the request lapses and the day starts over', async () => {
    const withdrawal = await lostWithdrawal(DAY_SECONDS + 60);
    await withdrawal.writeOff('ana');
    await withdrawal.notice();
    assert.equal(kindOf(await withdrawal.writeOff('ben')), 'too_early');
    await gateway.sleep(DAY_SECONDS + 3660);
    assert.equal(kindOf(await withdrawal.writeOff('ben')), 'requested');
    await withdrawal.expectOutcome({ ...HELD, alerts: ['PAYOUT_OUTCOME_UNKNOWN'] });
  });

  it('approved stays: a callback while the last look is under way', async () => {
    const withdrawal = await lostWithdrawal(DAY_SECONDS + 60);
    await withdrawal.writeOff('ana');
    withdrawal.payout.lookupGate.close();
    const word = withdrawal.writeOff('ben');
    await eventually(() => withdrawal.payout.lookupGate.queue > 0, 'the last look is under way');
    await withdrawal.notice();
    withdrawal.payout.lookupGate.open();
    assert.equal(kindOf(await word), 'lapsed');
    await withdrawal.expectOutcome({ ...HELD, alerts: ['PAYOUT_OUTCOME_UNKNOWN'] });
  });

  it('approved stays: the provider does not answer the last look; the request waits on', async () => {
    const withdrawal = await lostWithdrawal(DAY_SECONDS + 60);
    await withdrawal.writeOff('ana');
    withdrawal.payout.isSilent = true;
    assert.equal(kindOf(await withdrawal.writeOff('ben')), 'provider_silent');
    await withdrawal.expectOutcome({ ...HELD, alerts: ['PAYOUT_OUTCOME_UNKNOWN'] });
    withdrawal.payout.isSilent = false;
    assert.equal(kindOf(await withdrawal.writeOff('ben')), 'written_off');
  });

  it('a word without a stored act is refused before it is taken in; one that nobody stored changes nothing', async () => {
    const withdrawal = await lostWithdrawal(1);
    const writeOff = (actId: string) => withdrawal.handle.executeUpdate(writeOffWithdrawal, { args: [{ actId }] });
    for (const actId of ['', 'ana']) await assert.rejects(writeOff(actId), WorkflowUpdateFailedError);
    assert.equal((await writeOff(newId('staffAct'))).kind, 'unknown_act');
  });
});
