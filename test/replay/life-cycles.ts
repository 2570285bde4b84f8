// The life cycles whose histories are recorded: every branch that a running payment of a release can be in.
import type { WorkflowHandle } from '@temporalio/client';
import type { SweepActivities } from '../../activities/types.js';
import {
  ACCOUNT_SWEEP_WORKFLOW,
  type AccountSweepInput,
  DAY_CLOSE_START,
  DAY_CLOSE_WORKFLOW,
  HOUSEKEEPING_WORKFLOW,
  NOTHING_FOUND,
  OPEN_CHECK_START,
  OPEN_CHECK_WORKFLOW,
  VERIFICATION_START,
  VERIFICATION_WORKFLOW,
} from '../../contract/temporal/scheduled-work.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { checkAgain } from '../../contract/temporal/payment.js';
import { eventually } from '../../lab/harness/eventually.js';
import type { DepositCase } from '../workflow/harness/deposit-case.js';
import type { Gateway } from '../workflow/harness/gateway.js';
import { newId } from '../workflow/harness/stage.js';
import type { WithdrawalCase } from '../workflow/harness/withdrawal-case.js';
import { proposeRuleChange } from '../workflow/harness/rule-change-case.js';

/** `shortRuns`: a gateway whose runs continue in a new one after SHORT_RUN_EVENTS. The last run is recorded. */
type LifeCycle = (gateway: Gateway, shortRuns: Gateway) => Promise<Pick<WorkflowHandle, 'fetchHistory'>>;

/** More than the recorded run has: the code that replays it continues after far more. */
export const SHORT_RUN_EVENTS = 60;

/** Callbacks, until the payment continues in another run. */
async function continued(payment: DepositCase | WithdrawalCase): Promise<void> {
  const runOf = async () => (await payment.handle.describe()).runId;
  const first = await runOf();
  await eventually(async () => {
    await payment.notice();
    return (await runOf()) !== first;
  }, 'it goes on in another run');
}

async function ended(one: { handle: WorkflowHandle }): Promise<WorkflowHandle> {
  await eventually(async () => (await one.handle.describe()).status.name !== 'RUNNING', 'the workflow ended');
  return one.handle;
}

export const LIFE_CYCLES: Readonly<Record<string, LifeCycle>> = {
  'deposit-paid': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await deposit.payAtProvider();
    await deposit.notice();
    return ended(deposit);
  },
  'deposit-pending-open': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await eventually(() => deposit.inbox.attempts.length === 1, 'the delivery');
    return deposit.handle;
  },
  'deposit-expired': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await gateway.sleepUntil(deposit.row.expiresAt, 125);
    return ended(deposit);
  },
  'deposit-cancelled': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await deposit.cancel();
    return ended(deposit);
  },
  'deposit-late-answer-then-callback': async (gateway) => {
    const deposit = gateway.newDeposit();
    deposit.charge.isSilent = true;
    const creation = deposit.create();
    await eventually(() => deposit.charge.creationAttempts > 0, 'the provider is asked');
    await gateway.sleep(400);
    await creation;
    await deposit.payAtProvider();
    await deposit.notice();
    deposit.charge.isSilent = false;
    await gateway.sleep(60);
    return ended(deposit);
  },
  'deposit-failed': async (gateway) => {
    const deposit = gateway.newDeposit();
    deposit.charge.creationAnswers.push({ kind: 'refused', failureCode: 'environment_guard' });
    await deposit.create();
    return ended(deposit);
  },
  'deposit-refused': async (gateway) => {
    const deposit = gateway.newDeposit();
    deposit.ruling.deposit.playerBlocked = true;
    await deposit.create();
    return ended(deposit);
  },
  'deposit-reviewed-returned': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'mismatch' });
    deposit.charge.returnAnswers.push({ kind: 'refused', code: 'too_late' }, 'unknown', { kind: 'pending' });
    await deposit.review('return');
    const answer = deposit.review('return');
    await eventually(() => deposit.charge.returns > 1, 'the return is asked for');
    await gateway.sleep(60);
    await answer;
    return ended(deposit);
  },
  'deposit-reviewed-approved': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    await deposit.review('approve');
    return ended(deposit);
  },
  'deposit-continued': async (_, shortRuns) => {
    const deposit = await shortRuns.pendingDeposit();
    await deposit.pay({ payerMatch: 'unknown' });
    await continued(deposit);
    await deposit.review('approve');
    return ended(deposit);
  },
  'deposit-opening-lost': async (gateway) => {
    const deposit = gateway.newDeposit();
    deposit.database.breakDown(deposit.id, 'loses_answer', 'insert');
    const creation = deposit.create();
    await eventually(() => deposit.database.failuresOf(deposit.id) > 0, 'its answer is lost');
    await gateway.sleep(20);
    deposit.database.repair(deposit.id);
    await creation;
    await deposit.cancel();
    return ended(deposit);
  },
  'deposit-reopened-refund': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await deposit.pay();
    await ended(deposit);
    deposit.reverseAtProvider('refund');
    await deposit.refresh();
    return ended(deposit);
  },
  'deposit-reopened-late-payment': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await deposit.expire();
    await ended(deposit);
    await deposit.payAtProvider();
    await deposit.notice();
    await eventually(() => deposit.row.latePayment, 'the late payment');
    return ended(deposit);
  },
  'deposit-database-down': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    deposit.database.breakDown(deposit.id, 'refuses', 'paid');
    await deposit.payAtProvider();
    await deposit.notice();
    await eventually(() => deposit.database.failuresOf(deposit.id) > 0, 'the database is down');
    await gateway.sleep(60);
    deposit.database.repair(deposit.id);
    await gateway.sleep(16);
    return ended(deposit);
  },
  'withdrawal-automatic-paid': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    await withdrawal.create();
    await eventually(() => withdrawal.row.status === 'processing', 'processing');
    withdrawal.payout.settle(await gateway.now());
    await withdrawal.notice();
    return ended(withdrawal);
  },
  'withdrawal-processing-open': async (gateway) => {
    const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
    await withdrawal.create();
    await gateway.sleep(120);
    return withdrawal.handle;
  },
  'withdrawal-dict-slow-then-two-approvals-then-failed': async (gateway) => {
    const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
    withdrawal.payout.keyOwner = 'unavailable';
    withdrawal.payout.sendAnswers.push('replies_failed');
    withdrawal.ruling.thresholds.dualApprovalAboveMinor = 1n;
    await withdrawal.create();
    await gateway.sleep(310);
    await withdrawal.review('approve', 'ana');
    await withdrawal.review('approve', 'bob');
    return ended(withdrawal);
  },
  'withdrawal-rejected-by-dict': async (gateway) => {
    const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
    withdrawal.payout.keyOwnerAnswers.push('no_answer');
    withdrawal.payout.keyOwner = 'mismatch';
    await withdrawal.create();
    await gateway.sleep(5);
    return ended(withdrawal);
  },
  'withdrawal-cancelled-while-waiting': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatch.availableMinor = -1n;
    await withdrawal.create();
    await gateway.sleep(100);
    await withdrawal.cancel();
    return ended(withdrawal);
  },
  'withdrawal-blocked-at-dispatch': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatch.playerBlocked = true;
    await withdrawal.create();
    return ended(withdrawal);
  },
  'withdrawal-continued': async (_, shortRuns) => {
    const withdrawal = shortRuns.newWithdrawal();
    await withdrawal.create();
    await withdrawal.untilStatus('processing');
    await continued(withdrawal);
    withdrawal.payout.settle(await shortRuns.now());
    await withdrawal.notice();
    return ended(withdrawal);
  },
  'withdrawal-judged-later': async (gateway) => {
    const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
    withdrawal.ruling.down.add('creation').add('review');
    withdrawal.payout.keyOwnerAnswers.push('unavailable');
    const creation = withdrawal.create();
    await eventually(() => withdrawal.ruling.asked.length > 0, 'the rules are asked');
    await gateway.sleep(20);
    await creation;
    withdrawal.ruling.down.clear();
    await gateway.sleep(120);
    await withdrawal.review('refuse');
    return ended(withdrawal);
  },
  'withdrawal-written-off': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    await withdrawal.create();
    await gateway.sleep(86_460);
    await withdrawal.writeOff('ana');
    await withdrawal.writeOff('ben');
    return ended(withdrawal);
  },
  'withdrawal-provider-paused-then-short': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatch.providerPaused = true;
    withdrawal.payout.isCovered = false;
    withdrawal.payout.sendAnswers.push('replies_paid');
    await withdrawal.create();
    // Told between two checks of its own: this server mixes up what comes while a task runs.
    await gateway.sleep(45);
    withdrawal.ruling.dispatch.providerPaused = false;
    await withdrawal.handle.signal(checkAgain);
    await gateway.sleep(45);
    withdrawal.payout.isCovered = true;
    await withdrawal.handle.signal(checkAgain);
    return ended(withdrawal);
  },
  'withdrawal-unknown-send': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push({ kind: 'not_sent', reason: 'ECONNREFUSED' }, 'times_out_lost');
    await withdrawal.create();
    await gateway.sleep(600);
    withdrawal.payout.settle(await gateway.now());
    await withdrawal.notice();
    return ended(withdrawal);
  },
  'withdrawal-look-ups-unanswered': async (gateway) => {
    const withdrawal = gateway.newWithdrawal({ operatorReasons: 2 });
    withdrawal.payout.sendAnswers.push('times_out_lost');
    withdrawal.payout.isSilent = true;
    await withdrawal.create();
    await gateway.sleep(600);
    withdrawal.payout.isSilent = false;
    withdrawal.payout.settle(await gateway.now());
    await gateway.sleep(60);
    return ended(withdrawal);
  },
  'withdrawal-reopened-returned': async (gateway) => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('replies_paid');
    await withdrawal.create();
    await ended(withdrawal);
    withdrawal.payout.giveBack();
    await withdrawal.refresh();
    return ended(withdrawal);
  },
  'webhook-retries': async (gateway) => {
    const deposit = await gateway.pendingDeposit();
    await eventually(() => deposit.inbox.attempts.length === 1, 'the first event');
    deposit.inbox.answers.push(500, 401, 'no_connection');
    await deposit.pay({ payerMatch: 'mismatch' });
    await eventually(() => deposit.inbox.attempts.length === 2, 'the second event');
    await gateway.sleep(400);
    const event = deposit.database.events.findLast(({ objectId }) => objectId === deposit.id);
    return ended({ handle: gateway.temporal.client.getHandle(event?.id ?? '') });
  },
  'rule-change-approved': async (gateway) => {
    const change = await proposeRuleChange(gateway);
    await change.decide({ person: 'ana', reason: 'seen' });
    await change.decide({ person: 'ben' });
    return ended(change);
  },
  'rule-change-recomputed-open': async (gateway) => {
    const change = await proposeRuleChange(gateway);
    await change.decide({ person: 'ana' });
    await change.recompute('cleo');
    await change.decide({ person: 'ben' });
    return change.handle;
  },
  'rule-change-rejected-before-its-report': async (gateway) => {
    const { operations } = gateway.world;
    operations.proofGate.close();
    const change = await proposeRuleChange(gateway, { isProven: false });
    await eventually(() => operations.proofGate.queue > 0, 'the report is being computed');
    await change.decide({ decision: 'reject' });
    operations.proofGate.open();
    return ended(change);
  },
  'rule-change-superseded': async (gateway) => {
    const change = await proposeRuleChange(gateway);
    await change.decide({ person: 'ana' });
    change.operations.versions.set(change.input.operationId, 2);
    await change.decide({ person: 'ben' });
    return ended(change);
  },
  'rule-change-expired': async (gateway) => {
    const change = await proposeRuleChange(gateway);
    await gateway.sleep(31 * 86_400);
    return ended(change);
  },
  'day-close': async (gateway) => {
    const { operations } = gateway.world;
    const damaged = newId('op_');
    for (const [id, days] of [
      ['op_a', 1],
      ['op_b', 40],
      [damaged, 1],
    ] as const)
      operations.openDays.set(id, days);
    operations.damaged.add(damaged);
    return ended({ handle: await start(gateway, DAY_CLOSE_WORKFLOW, DAY_CLOSE_START) });
  },
  'open-check': async (gateway) => {
    const { checks } = gateway.world.operations;
    checks.operationsPerPage = 1;
    for (const id of ['op_a', 'op_b']) checks.orphans.set(id, 1);
    return ended({ handle: await start(gateway, OPEN_CHECK_WORKFLOW, OPEN_CHECK_START) });
  },
  verification: async (gateway) => {
    const { checks } = gateway.world.operations;
    for (const id of ['op_a', 'op_b']) checks.ledgerProblems.set(id, 1);
    checks.broken.add('audit');
    return ended({ handle: await start(gateway, VERIFICATION_WORKFLOW, VERIFICATION_START) });
  },
  housekeeping: async (gateway) => ended({ handle: await start(gateway, HOUSEKEEPING_WORKFLOW) }),
  'account-sweep': async (gateway) => {
    gateway.world.sweeps = sweepOfPages(3);
    const input: AccountSweepInput = { provider: 'simulator', part: 'payments', resumed: null };
    return ended({ handle: await start(gateway, ACCOUNT_SWEEP_WORKFLOW, input) });
  },
};

function sweepOfPages(count: number): SweepActivities {
  const found = { ...NOTHING_FOUND, read: 10, missed: 1 };
  let page = 0;
  return {
    sweepPage: async ({ begins }) => {
      page = begins ? 1 : page + 1;
      return { kind: 'page', through: page < count ? null : '2026-03-05T12:00:00.000Z', found };
    },
  };
}

function start(gateway: Gateway, workflow: string, ...args: readonly object[]) {
  return gateway.temporal.client.start(workflow, {
    workflowId: newId(`${workflow}-`),
    taskQueue: TASK_QUEUES.payments,
    args: [...args],
  });
}
