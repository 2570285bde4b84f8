// How the demo waits: it asks again and again, and says what it saw last when it gives up.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deposit, Withdrawal } from '../../client/index.js';
import type { PaymentView } from '../demo-operator/view.js';
import { state, step } from './lines.js';
import { DemoStopped, type Run } from './run.js';

const POLL_MS = 250;

/** Polls a payment, printing every state in which it is seen for the first time, until the condition holds. */
export async function follow<Payment extends Deposit | Withdrawal>(
  run: Run,
  kind: 'deposit' | 'withdrawal',
  from: Payment,
  reached: (now: Payment) => boolean,
): Promise<Payment> {
  let last = from;
  return until(run, `the ${kind} to leave ${from.status}`, async () => {
    const { body } =
      kind === 'deposit' ? await run.client.getDeposit(from.id) : await run.client.getWithdrawal(from.id);
    const now = body as Payment;
    if (now.version > last.version) step(run, `GET /${kind}s/…`, state(now));
    last = now;
    return reached(now) ? found(now) : notYet(state(now));
  });
}

export function untilEntry(
  run: Run,
  awaited: string,
  objectId: string,
  reached: (entry: PaymentView) => boolean,
): Promise<PaymentView> {
  return until(run, awaited, async () => {
    const { deposits, withdrawals, alerts } = await run.operator.state();
    const entry = [...deposits, ...withdrawals].find(({ object_id: id }) => id === objectId);
    if (entry && reached(entry)) return found(entry);
    const alerted = alerts.filter(({ object_id: id }) => id === objectId).map(({ code }) => code);
    const seen = entry ? `${entry.status} v${entry.version}, ${entry.money}` : 'not fetched back yet';
    return notYet([seen, ...alerted.map((code) => `alert ${code}`)].join(', '));
  });
}

type Probe<Value> = { readonly found: true; readonly value: Value } | { readonly found: false; readonly seen: string };

export function found<Value>(value: Value): Probe<Value> {
  return { found: true, value };
}

export function notYet(seen: string): Probe<never> {
  return { found: false, seen };
}

/** Probes until something is found. Throws DemoStopped with what was awaited and seen last once the wait is over. */
export async function until<Value>(run: Run, awaited: string, probe: () => Promise<Probe<Value>>): Promise<Value> {
  const deadline = Date.now() + run.waitMs;
  for (;;) {
    const result = await probe();
    if (result.found) return result.value;
    if (Date.now() >= deadline)
      throw new DemoStopped(`waited ${run.waitMs / 1000} s for ${awaited}; last seen: ${result.seen}`);
    await sleep(POLL_MS);
  }
}
