// A worker drops the run of a payment in the middle of a step, because its cache is full: the step is stored, and the
// run is informed that it was cancelled. The payment continues all the same, and the operator is notified of
// everything.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { startRealTemporal } from '../support/temporal.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, type Stage, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

/** A lost workflow task is given to a worker again after 10 s. */
const TEST_MS = 3 * ACTION_MS;

describe('a run is dropped from a full cache', () => {
  const stage = useStage({ start: startRealTemporal, maxCachedWorkflows: 2 });

  it('while a withdrawal is opened: it is sent, once', async () => {
    const withdrawal = new ProvedWithdrawal(stage(), await fundedOperation(stage()));
    const drop = await dropping(stage(), withdrawal.id, 'openWithdrawal');
    const created = withdrawal.create();
    await drop();
    assert.equal((await created).kind, 'answer');
    await withdrawal.reaches('processing');
    assert.equal(withdrawal.payout.sends, 1);
    await assertDelivered(stage(), withdrawal.id, ['withdrawal.approved', 'withdrawal.processing']);
  }).timeout(TEST_MS);

  it('while a payment is booked: it is booked once', async () => {
    const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
    await deposit.create();
    await deposit.reaches('pending');
    const drop = await dropping(stage(), deposit.id, 'lookUpChargeBriefly');
    await deposit.payAtProvider();
    await deposit.notice();
    await drop();
    await deposit.reaches('paid');
    await assertDelivered(stage(), deposit.id, ['deposit.pending', 'deposit.paid']);
    const stored = await deposit.read();
    assert.equal(
      stored?.entries.filter(({ movement }) => movement === 'deposit_credited').length,
      2,
      'one debit and one credit',
    );
  }).timeout(TEST_MS);
});

/**
 * The answer waits until the step is stored, and then loses its completion. While the step's next try is awaited, a
 * third payment needs a place in a cache of two, and the neighbour's run has been used later.
 */
async function dropping(
  stage: Stage,
  objectId: string,
  step: Parameters<Stage['crashes']['loseCompletionAt']>[1],
): Promise<() => Promise<void>> {
  const operationId = await fundedOperation(stage);
  const [neighbour, third] = [new ProvedDeposit(stage, operationId), new ProvedDeposit(stage, operationId)];
  await neighbour.create();
  await neighbour.reaches('pending');
  const gate = stage.crashes.loseCompletionAt(objectId, step);
  return async () => {
    await eventually(() => gate.queue > 0, `${step} of ${objectId} is done`, ACTION_MS);
    await neighbour.refresh();
    gate.open();
    await third.create();
    await third.reaches('pending');
  };
}

async function assertDelivered(stage: Stage, objectId: string, expected: readonly string[]): Promise<void> {
  const delivered = async () => {
    const events = await stage.database.event.findMany({
      where: { objectId },
      orderBy: { sequence: 'asc' },
      select: { id: true, type: true },
    });
    return events.filter(({ id }) => stage.delivered.has(id)).map(({ type }) => type);
  };
  await eventually(
    async () => (await delivered()).length >= expected.length,
    `${objectId}: ${expected.join()} are delivered`,
    ACTION_MS,
  );
  assert.deepEqual(await delivered(), expected);
}
