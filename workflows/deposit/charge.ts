// A deposit in `created`: requests its charge until the provider answers.
import { formatBrl } from '../../domain/money.js';
import { step, type StepOptions } from '../steps/step.js';
import { callUntilAnswered } from '../steps/patient-call.js';
import type { DepositProcess } from './process.js';
import { chargeWait } from './waits.js';

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
