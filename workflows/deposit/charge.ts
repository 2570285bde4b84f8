// A deposit in `created`: requests its charge until the provider answers.
import { formatBrl } from '../../domain/money.js';
import { type CallOptions, provider } from '../steps/activity-proxies.js';
import { callUntilAnswered } from '../steps/patient-call.js';
import type { DepositProcess } from './process.js';
import { chargeWait } from './waits.js';

export async function createCharge(process: DepositProcess): Promise<void> {
  const { messages } = process;
  const call = messages.call(() => requestCharge(process));
  const waiting = {
    wait: (since: string) => chargeWait(since, process.chargeAlertAt),
    until: () => process.chargeAlertAt,
    isOver: () => process.deposit.status !== 'created' || process.shouldContinueAsNew,
  };
  for (;;) {
    const served = await messages.serve(waiting, call);
    if (served.kind !== 'due') break;
    process.chargeAlertRaised();
    await process.payment.alertOnce('charge_unanswered');
  }
  call.leave();
}

async function requestCharge(process: DepositProcess): Promise<void> {
  const { payment } = process;
  const summary = `create the charge of ${formatBrl(BigInt(payment.context.amountMinor))}`;
  const request = (options: CallOptions) => provider.createCharge(summary, payment.providerRef, options);
  const unanswered = (error: string) => process.reportError(`the provider does not answer (${error})`);
  payment.adopt(await callUntilAnswered(request, unanswered));
}
