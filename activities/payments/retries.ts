// When a step is tried again: its row changed between its read and its write, nothing has changed yet, or the database
// does not permit to ask a provider for something that moves money.
import { ApplicationFailure, asyncLocalStorage } from '@temporalio/activity';
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { alertOf } from '../../domain/alert-records.js';
import {
  type AskedOfProvider,
  isTampered,
  type Permission,
  type TamperedRefusal,
} from '../../domain/payments/permissions.js';
import { type AlertStore, raiseAbout } from '../alerts.js';
import { inconclusive } from '../provider/charges.js';

/** How often a step decides before it gives up on a row that keeps changing. A later try continues. */
export const MAX_TRIES = 5;

/** Returns the first answer of `attempt` that is not `null`; `null` means that the row has changed. */
export async function untilStored<Answer>(attempt: () => Promise<Answer | null>): Promise<Answer> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const answer = await attempt();
    if (answer !== null) return answer;
  }
  throw contended();
}

/** A retryable failure. */
export function contended(): ApplicationFailure {
  return ApplicationFailure.retryable('the row changed at every try', 'RowContended');
}

/** Pause before the next try that finds no change, by the number of tries. Errors are tried again sooner. */
const PAUSES_SECONDS = [30, 60, 120, 300] as const;
const LATER_PAUSE_SECONDS = 900;

/**
 * The failure of a step that waits for a change: Temporal tries it again after growing pauses, without an event in the
 * payment's history.
 * `reason` is the code that the payment's page shows. `isLater` is true if the pauses have grown in earlier activities.
 */
export function notYet(
  reason: string,
  isLater = false,
  pausesSeconds: readonly number[] = PAUSES_SECONDS,
): ApplicationFailure {
  const tries = asyncLocalStorage.getStore()?.info.attempt ?? 1;
  const seconds = isLater ? LATER_PAUSE_SECONDS : (pausesSeconds[tries - 1] ?? LATER_PAUSE_SECONDS);
  return ApplicationFailure.create({
    message: `nothing has changed: ${reason}`,
    type: 'NotYet',
    details: [reason],
    nextRetryDelay: seconds * 1_000,
  });
}

/** Fails if the provider may not be called; a retry reads the row and requests the permission again. */
export async function assertPermitted(
  alerts: AlertStore,
  asked: AskedOfProvider,
  ref: PaymentRef,
  permission: Permission,
): Promise<void> {
  if (permission === 'given') return;
  if (permission === 'changed') throw contended();
  if (!isTampered(permission)) throw inconclusive(permission);
  await tellOfTampering(alerts, asked, ref, permission);
  // It continues only after a person has corrected the database.
  throw notYet(permission);
}

/** Raises the alert of a refusal that no honest use leads to. */
export async function tellOfTampering(
  alerts: AlertStore,
  asked: AskedOfProvider,
  ref: PaymentRef,
  refusal: TamperedRefusal,
): Promise<void> {
  const said = alertOf('NOT_IN_THE_BOOKS', 'refused', { payment: ref.id, asked, refusal });
  await raiseAbout(alerts, ref, { ...said, occasion: `${asked} ${refusal}` });
}
