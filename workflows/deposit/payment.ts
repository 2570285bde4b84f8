// A deposit that is `pending`: it waits for its payment, and expires. A callback can be lost, and a paid charge can
// look open for a while, so the charge is looked up once more before the deposit expires.
import { expiryOf } from '../../domain/deposit.js';
import { store } from '../steps/activity-proxies.js';
import { earliest, isReached } from '../steps/clock.js';
import { expiry, lookOnceMore, lookUp } from './look-up.js';
import type { DepositProcess } from './process.js';
import { lastLookWait, paymentWait } from './waits.js';

export async function awaitPayment(process: DepositProcess): Promise<void> {
  if (isDue(process)) return lookThenExpire(process);
  if (process.isLookUpRequested) return lookUp(process, expiry(process));
  const { messages, noticedLookUps } = process;
  const waiting = {
    wait: () => paymentWait(process.deposit, noticedLookUps.nextAt),
    until: () => earliest(expiryOf(process.deposit), noticedLookUps.nextAt),
    isOver: () => process.deposit.status !== 'pending' || process.isLookUpRequested || process.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind === 'due' && noticedLookUps.takeDue()) process.requestLookUp();
}

function isDue({ deposit }: DepositProcess): boolean {
  return isReached(expiryOf(deposit));
}

/**
 * The last look-up serves every request so far. Without an answer the deposit still expires on time. Then people are
 * alerted, and the look-up continues until the provider has answered: the payment may have come in time.
 */
async function lookThenExpire(process: DepositProcess): Promise<void> {
  const { messages, payment, lookUps } = process;
  const request = lookUps.start();
  const isOver = () => process.deposit.status !== 'pending';
  const look = () => lookOnceMore(process, 'look once more before it expires', 'silent');
  const served = await messages.serveCall({ wait: lastLookWait, isOver }, look);
  const error = served.kind === 'done' ? served.answer.error : null;
  if (served.kind === 'done' && error === null) request.answer();
  else request.withdraw();
  if (isOver()) return;
  if (error !== null) process.requestLookUp();
  payment.adopt(await store.expireDeposit(payment.ref));
  if (error === null) return;
  process.reportError(`the provider could not be asked before expiry (${error})`);
  await payment.alertOnce('expiry_unanswered', error);
}
