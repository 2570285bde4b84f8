// A deposit that is `pending`: it waits for its payment, and expires. A callback can be lost, and a paid charge can
// look open for a while, so the charge is looked up once more before the deposit expires.
import { expiryOf } from '../../domain/deposit.js';
import { store } from '../steps/activity-proxies.js';
import { expiry, lookOnceMore, lookUp } from './look-up.js';
import type { DepositProcess } from './process.js';
import { lastLookWait, paymentWait } from './waits.js';

export async function awaitPayment(process: DepositProcess): Promise<void> {
  const { messages, payment } = process;
  const isOver = () => process.deposit.status !== 'pending';
  if (process.isLookUpRequested && !isDue(process)) return lookUp(process, expiry(process));
  const waiting = {
    wait: () => paymentWait(process.deposit),
    until: () => expiryOf(process.deposit),
    isOver: () => isOver() || process.isLookUpRequested || process.shouldContinueAsNew,
  };
  const served = await messages.serve(waiting);
  if (served.kind !== 'due') return;
  await messages.serveCall({ wait: lastLookWait, isOver }, () => lookBeforeExpiry(process));
  if (!isOver()) payment.adopt(await store.expireDeposit(payment.ref));
}

function isDue({ deposit }: DepositProcess): boolean {
  return Date.parse(expiryOf(deposit)) <= Date.now();
}

/** Without an answer the deposit still expires: a later payment then counts as late. */
async function lookBeforeExpiry(process: DepositProcess): Promise<void> {
  const { error } = await lookOnceMore(process, 'look once more before it expires', 'silent');
  if (error !== null) process.reportError(`the provider could not be asked before expiry (${error})`);
}
