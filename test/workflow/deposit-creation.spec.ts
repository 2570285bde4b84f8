// How a deposit comes to be: decided by the rules, stored, charged at the provider, and answered within the budget.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { CREATION_UNAVAILABLE } from '../../contract/temporal/payment.js';
import type { DepositCase } from './harness/deposit-case.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import { createdOf, refusalOf } from '../support/vouched-creations.js';

describe('deposit: creation', () => {
  const gateway = useGateway();

  it('created → pending: the provider adjusts the term, and its term counts', async () => {
    const deposit = gateway.newDeposit({ expiresInSeconds: 600 });
    deposit.charge.expiresAt = await gateway.now(3600);
    await deposit.create();
    assert.equal(deposit.row.expiresAt, deposit.charge.expiresAt);
    await gateway.sleepUntil(deposit.charge.expiresAt, 119);
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
    await gateway.sleep(2);
    await deposit.expectOutcome({ status: 'expired', version: 3, events: ['deposit.pending@2', 'deposit.expired@3'] });
  });

  it('created (202) → pending: the provider takes longer than 7 s', async () => {
    const deposit = gateway.newDeposit();
    deposit.charge.isSilent = true;
    const creation = deposit.create();
    await eventually(() => deposit.charge.creationAttempts > 0, 'the provider is asked');
    await gateway.sleep(7.5);
    const answer = await creation;
    const answeredAfterMs = (await gateway.temporal.nowMs()) - Date.parse(deposit.row.createdAt);
    assert.ok(answeredAfterMs < 8_500, `answered after ${answeredAfterMs} ms`);
    assert.equal(answer.kind === 'created' && answer.snapshot.status, 'created');
    assert.equal(deposit.row.instructions, null);
    await deposit.expectOutcome({ status: 'created', version: 1, events: [] });
    deposit.charge.isSilent = false;
    await gateway.sleep(60);
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
  });

  it('created → pending within the budget: the provider answers at the third try', async () => {
    const deposit = gateway.newDeposit();
    deposit.charge.creationAnswers.push('unknown', 'unknown');
    const creation = deposit.create();
    await eventually(() => deposit.charge.creationAttempts > 0, 'the provider is asked');
    await gateway.sleep(5);
    const answer = await creation;
    assert.equal(answer.kind === 'created' && answer.snapshot.status, 'pending');
    assert.equal(deposit.charge.creationAttempts, 3);
  });

  it('created stays created for hours: operations staff are alerted, and the deposit continues by itself', async () => {
    const deposit = await unansweredDeposit();
    await gateway.sleep(200);
    await deposit.expectOutcome({ status: 'created', version: 1, events: [] });
    await gateway.sleep(2 * 3600);
    await deposit.expectOutcome({ status: 'created', version: 1, events: [], alerts: ['CHARGE_UNANSWERED'] });
    // The provider counts the term from when it takes the charge in.
    deposit.charge.expiresAt = await gateway.now(1800);
    deposit.charge.isSilent = false;
    await gateway.sleep(60);
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
  });

  it('created → pending → paid: a callback before the provider’s own reply is not lost', async () => {
    const deposit = await unansweredDeposit();
    await deposit.payAtProvider();
    await deposit.notice();
    await deposit.expectOutcome({ status: 'created', version: 1, events: [] });
    deposit.charge.isSilent = false;
    await gateway.sleep(60);
    await deposit.expectOutcome({
      status: 'paid',
      version: 3,
      events: ['deposit.pending@2', 'deposit.paid@3'],
      ledger: { available: 5000, provider_clearing: -5000 },
    });
  });

  it('(new) refused: a repeat of the request gets the same refusal', async () => {
    const deposit = gateway.newDeposit();
    deposit.ruling.deposit.playerBlocked = true;
    const [first, repeat] = await Promise.all([deposit.create(), deposit.create()]);
    assert.equal(refusalOf(first), 'player_blocked');
    assert.deepEqual(repeat, first);
    assert.deepEqual(deposit.ruling.asked, ['creation']);
  });

  it('(new) unavailable: the rules are down; nothing is stored, and a repeat with the same id runs', async () => {
    const deposit = gateway.newDeposit();
    deposit.ruling.down.add('creation');
    const refused = assert.rejects(deposit.create(), isCreationUnavailable);
    await gateway.sleep(6);
    await refused;
    assert.equal(deposit.database.deposit(deposit.id), null);
    await eventually(async () => (await deposit.handle.describe()).status.name === 'FAILED', 'the workflow failed');
    deposit.ruling.down.clear();
    const repeat = await deposit.create();
    assert.deepEqual(createdOf(repeat), deposit.row);
    await deposit.expectOutcome({ status: 'pending', version: 2, events: ['deposit.pending@2'] });
  });

  /** A deposit whose creation was answered with 202. */
  async function unansweredDeposit(): Promise<DepositCase> {
    const deposit = gateway.newDeposit();
    deposit.charge.isSilent = true;
    const creation = deposit.create();
    await eventually(() => deposit.charge.creationAttempts > 0, 'the provider is asked');
    await gateway.sleep(8);
    await creation;
    return deposit;
  }
});

function isCreationUnavailable(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateFailedError &&
    error.cause instanceof ApplicationFailure &&
    error.cause.type === CREATION_UNAVAILABLE
  );
}
