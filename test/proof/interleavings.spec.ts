// Random interleavings of requests, callbacks, crashes and clock moves against the real workflows and PostgreSQL. After
// every step the books hold; at the end the payments are where they may be. Two tests: the server that skips time skips
// no more once workers were lost.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventually } from '../../tools/harness/eventually.js';
import { startRealTemporal } from '../support/temporal.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, skippingTime, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';
import { Play, type Powers, TimeStandsStillError } from './interleavings/run.js';
import { clockScenarios, crashScenarios, type Scenario } from './interleavings/steps.js';

/** How long a request waits when nobody can answer, as in the api. */
const PATIENCE_MS = 5_000;
/** A scenario that does not come to rest fails by itself long before. */
const SCENARIO_TIMEOUT_MS = 150_000;

const seed = Number(process.env['PROOF_SEED'] ?? 20_261_121);
const path = process.env['PROOF_PATH'];

describe('interleavings', () => {
  describe('with lost workers and dropped runs, in real time', function () {
    // Six payments in a cache of four: runs are dropped in the middle of steps, too.
    const stage = useStage({ start: startRealTemporal, patienceMs: PATIENCE_MS, maxCachedWorkflows: 4 });
    const powers = (): Powers => ({
      restartWorkers: stage().temporal.restartWorkers,
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      skipsTime: false,
    });

    it('a deposit whose task was lost after its charge was stored is paid all the same', async () => {
      const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
      deposit.ruling.afterVerdict = () => {
        deposit.ruling.afterVerdict = () => undefined;
        stage().crashes.loseTask(deposit.id);
      };
      await deposit.create();
      await deposit.reaches('pending');
      await deposit.payAtProvider();
      await deposit.notice();
      await deposit.reaches('paid');
    }).timeout(SCENARIO_TIMEOUT_MS);

    it('a payout whose send was done and never heard of is not sent again', async () => {
      const withdrawal = new ProvedWithdrawal(stage(), await fundedOperation(stage()));
      const { payout } = withdrawal;
      payout.sendGate.close();
      await withdrawal.create();
      await eventually(() => payout.sendGate.queue > 0, 'the send is under way', ACTION_MS);
      stage().crashes.loseCompletion(withdrawal.id);
      payout.sendGate.open();
      await withdrawal.reaches('processing');
      payout.settle(new Date().toISOString());
      await withdrawal.notice();
      await withdrawal.reaches('paid');
      assert.equal(payout.sends, 1);
    }).timeout(SCENARIO_TIMEOUT_MS);

    it('a send whose worker was lost before it had the permission is made by the next attempt, once', async () => {
      const withdrawal = new ProvedWithdrawal(stage(), await fundedOperation(stage()));
      stage().crashes.loseSend(withdrawal.id);
      await withdrawal.create();
      await withdrawal.reaches('processing');
      assert.equal(withdrawal.payout.sends, 1);
    }).timeout(SCENARIO_TIMEOUT_MS);

    holdFor(2, crashScenarios, (scenario) => Play.run(stage(), powers(), scenario));
  });

  // Nothing is dropped here: a task that is lost with its run keeps the server that skips time from skipping any more.
  // So does an activity that is cancelled at the moment it completes (github.com/temporalio/sdk-java/issues/2391): the
  // scenario is then played on another server.
  describe('with clock moves', () => {
    const stage = useStage({ start: skippingTime, patienceMs: PATIENCE_MS });
    const powers = (): Powers => ({
      restartWorkers: () => Promise.reject(new Error('on this server workers are not restarted')),
      sleep: stage().temporal.sleep,
      skipsTime: true,
    });
    holdFor(4, clockScenarios, async (scenario) => {
      const play = () => Play.run(stage(), powers(), scenario);
      await play().catch(async (error: unknown) => {
        if (!(error instanceof TimeStandsStillError)) throw error;
        await stage.reopen();
        await play();
      });
    });
  });
});

/** One test over so many scenarios; `npm run search -- proof` plays many more. */
function holdFor(
  bounded: number,
  scenarios: fc.Arbitrary<Scenario>,
  play: (scenario: Scenario) => Promise<void>,
): void {
  const numRuns = Number(process.env['PROOF_RUNS'] ?? bounded);
  it(`hold the books and end where they may: ${numRuns} scenarios from seed ${seed}`, async () => {
    // A failure that is repeated by its path should be small.
    const repetition = path === undefined ? { endOnFailure: true } : { path };
    await fc
      .assert(fc.asyncProperty(scenarios, play), { seed, numRuns, includeErrorInReport: true, ...repetition })
      .catch((error: unknown) => {
        process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
        throw error;
      });
  }).timeout(numRuns * SCENARIO_TIMEOUT_MS);
}
