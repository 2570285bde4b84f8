// A deposit that is `pending`: it waits for its payment, and expires. A callback can be lost, and a paid charge can
// look open for a while, so the charge is looked up once more before the deposit expires.
import { expiryOf } from '../../domain/payments/deposit.js';
import { step } from '../steps/step.js';
import { earliest, isReached } from '../steps/clock.js';
import { expiry, lookOnceMore, lookUp } from './look-up.js';
import type { DepositProcess } from './process.js';
import { lastLookWait, paymentWait } from './waits.js';

export async function awaitPayment(run: DepositProcess): Promise<void> {
  if (isDue(run)) return lookThenExpire(run);
  if (run.isLookUpRequested) return lookUp(run, expiry(run));
  const { messages, noticedLookUps } = run;
  const waiting = {
    wait: () => paymentWait(run.deposit, noticedLookUps.nextAt),
    until: () => earliest(expiryOf(run.deposit), noticedLookUps.nextAt),
    isOver: () => run.deposit.status !== 'pending' || run.isLookUpRequested || run.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind === 'due' && noticedLookUps.takeDue()) run.requestLookUp();
}

function isDue({ deposit }: DepositProcess): boolean {
  return isReached(expiryOf(deposit));
}

/**
 * The last look-up serves every request so far. Without an answer the deposit still expires on time. Then people are
 * alerted, and the look-up continues until the provider has answered: the payment may have come in time.
 */
async function lookThenExpire(run: DepositProcess): Promise<void> {
  const { messages, payment, lookUps } = run;
  const request = lookUps.start();
  const isOver = () => run.deposit.status !== 'pending';
  const look = () => lookOnceMore(run, 'look once more before it expires', 'silent');
  const served = await messages.serveCall({ wait: lastLookWait, isOver }, look);
  const error = served.kind === 'done' ? served.answer.error : null;
  if (served.kind === 'done' && error === null) request.answer();
  else request.withdraw();
  if (isOver()) return;
  if (error !== null) run.requestLookUp();
  payment.adopt(await step.expireDeposit(payment.ref));
  if (error === null) return;
  run.reportError(`the provider could not be asked before expiry (${error})`);
  await payment.alertOnce('expiry_unanswered', error);
}
