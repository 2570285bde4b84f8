// A deposit before its payment. In `created` its charge is requested until the provider answers. In `pending` it waits
// for its payment, and expires: a callback can be lost, and a paid charge can look open for a while, so the charge is
// looked up once more before.
import { formatBrl } from '../../domain/money.js';
import { expiryOf } from '../../domain/payments/deposit.js';
import { callUntilAnswered } from '../steps/patient-call.js';
import type { Wait } from '../steps/status-reporter.js';
import { step, type StepOptions } from '../steps/step.js';
import { earliest, isReached } from '../steps/time.js';
import { lookOnceMore, lookUp, paymentWait, serveRequests } from './look-up.js';
import type { DepositProcess } from './process.js';

export async function createCharge(run: DepositProcess): Promise<void> {
  const { messages } = run;
  const call = messages.call(() => requestCharge(run));
  const waiting = {
    wait: (since: string) => chargeWait(since, run.chargeAlertAt),
    until: () => run.chargeAlertAt,
    isOver: () => run.deposit.status !== 'created' || run.shouldContinueAsNew,
  };
  for (;;) {
    const served = await messages.serve(waiting, call);
    if (served.kind !== 'due') break;
    run.chargeAlertRaised();
    await run.payment.alertOnce('charge_unanswered');
  }
  call.leave();
}

async function requestCharge(run: DepositProcess): Promise<void> {
  const { payment } = run;
  const summary = `create the charge of ${formatBrl(payment.context.amountMinor)}`;
  const request = (options: StepOptions) => step.createCharge(payment.providerRef, { ...options, summary });
  const unanswered = (error: string) => run.reportError(`the provider does not answer (${error})`);
  payment.adopt(await callUntilAnswered(request, unanswered));
}

/** `alertAt`: when the missing answer becomes an alert; null once it has. */
function chargeWait(since: string, alertAt: string | null): Wait {
  const next = alertAt === null ? '' : 'operations staff are alerted';
  const underWay = { what: 'the provider is asked until it answers', since };
  return { for: 'provider_charge', underWay, next, until: alertAt };
}

export async function awaitPayment(run: DepositProcess): Promise<void> {
  if (isDue(run)) return lookThenExpire(run);
  if (run.isLookUpRequested) return lookUp(run, () => expiryOf(run.deposit));
  const { messages, lookUps } = run;
  const waiting = {
    wait: () => paymentWait(run.deposit, lookUps.nextAt),
    until: () => earliest(expiryOf(run.deposit), lookUps.nextAt),
    isOver: () => run.deposit.status !== 'pending' || run.isLookUpRequested || run.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind === 'due') lookUps.requestDue();
}

function isDue({ deposit }: DepositProcess): boolean {
  return isReached(expiryOf(deposit));
}

/**
 * The last look-up serves every request so far. Without an answer the deposit still expires on time. Then people are
 * alerted, and the look-up continues until the provider has answered: the payment may have come in time.
 */
async function lookThenExpire(run: DepositProcess): Promise<void> {
  const { payment } = run;
  const isOver = () => run.deposit.status !== 'pending';
  const look = () => lookOnceMore(run, 'look once more before it expires', 'silent');
  const looked = await serveRequests(run, { wait: lastLookWait, isOver }, look);
  const error = looked?.error ?? null;
  if (isOver()) return;
  if (error !== null) run.requestLookUp();
  payment.adopt(await step.expireDeposit(payment.ref));
  if (error === null) return;
  run.reportError(`the provider could not be asked before expiry (${error})`);
  await payment.alertOnce('expiry_unanswered', error);
}

function lastLookWait(since: string): Wait {
  const underWay = { what: 'the provider is asked once more before it expires', since };
  return { for: 'payment', underWay, next: '', until: null };
}
