// Messages that cannot succeed cost nothing: more of them than Temporal allows a run (2,000) enter no history, and the
// decision that matters still counts. Temporal is real: the time-skipping server records a task for each refusal.
import assert from 'node:assert/strict';
import { startRealTemporal } from '../support/temporal.js';
import { ProvedDeposit } from './harness/deposit.js';
import { fundedOperation, useStage } from './harness/stage.js';

const MESSAGES = 2_200;
/** Temporal's limit of updates in flight. */
const AT_ONCE = 10;

describe('futile messages', () => {
  const stage = useStage({ start: startRealTemporal });

  it('2,200 cancels of a deposit under review leave no trace; then it is returned', async function () {
    this.timeout(180_000);
    const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
    await deposit.create();
    await deposit.payAtProvider('other');
    await deposit.notice();
    await deposit.workflowReaches('under_review');
    const handle = stage().temporal.client.getHandle(deposit.id);
    const acceptedUpdates = async () => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes != null).length;
    };
    const before = await acceptedUpdates();
    for (let sent = 0; sent < MESSAGES; sent += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => deposit.cancel()));
      assert.deepEqual([...new Set(answers)], ['invalid_state']);
    }
    assert.equal(await acceptedUpdates(), before);
    const { historyLength } = await handle.describe();
    assert.ok(historyLength < 100, `${historyLength} events`);
    assert.equal(await deposit.review('return'), 'done');
    await deposit.reaches('returned');
  });
});
