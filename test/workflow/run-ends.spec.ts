// Messages that reach a run at the moment it ends. Temporal then refuses the run's last task and replays it. A read (a
// query) during a step splits that task in two, and the replay ends the run before it is handed the message.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { useGateway } from './harness/gateway.js';

const PAID = { status: 'paid', version: 3, events: ['deposit.pending@2', 'deposit.paid@3'] } as const;
const CREDITED = { available: 5000, provider_clearing: -5000 };
/**
 * Three times Temporal's limit for a task: one that the SDK or an overloaded server loses is tried again after it, and
 * one that can never be completed is tried for ever.
 */
const ANSWERED_WITHIN_MS = 30_000;
const ROUNDS = 8;
const DEPOSITS_AT_ONCE = 8;

describe('a run that ends', () => {
  const gateway = useGateway({ on: 'dev server' });

  it('leaves an update to the next run, read at the same time or not', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(Array.from({ length: DEPOSITS_AT_ONCE }, refreshedAtTheEnd));
      assert.deepEqual(new Set(answers), new Set(['answered']));
    }
  }).timeout(ROUNDS * ANSWERED_WITHIN_MS);

  async function refreshedAtTheEnd(): Promise<string> {
    const deposit = await gateway.pendingDeposit();
    await deposit.payAtProvider();
    await Promise.all([deposit.notice(), deposit.notice()]);
    await deposit.expectOutcome({ ...PAID, ledger: CREDITED });
    const noticed = deposit.notice();
    const read = deposit.query();
    const refreshed = deposit.refresh().then(() => 'answered');
    const answer = await Promise.race([refreshed, pause(ANSWERED_WITHIN_MS, `${deposit.id}: no answer`)]);
    await Promise.all([noticed, read]);
    return answer;
  }
});
