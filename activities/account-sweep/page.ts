// A page of a list of a provider's account: the request, the result, and what reading one needs.
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { SweepFound } from '../../contract/temporal/scheduled-work.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { ProviderRegistry } from '../../providers/port.js';
import type { SweepPlace } from '../../store/account-sweep/marks.js';
import type { NotifiedDeposit, NotifiedWithdrawal } from '../../store/account-sweep/notified-payment.js';
import type { Database } from '../../store/database.js';

/** Notifies a payment, open or ended, of a change at its provider. `false` if Temporal does not answer. */
export type NotifyPayment = (payment: NotifiedDeposit | NotifiedWithdrawal) => Promise<boolean>;

export interface SweepDependencies {
  readonly database: Database;
  readonly providers: ProviderRegistry;
  readonly notifyDeposit: NotifyPayment;
  readonly notifyWithdrawal: NotifyPayment;
  readonly logger: Logger;
}

export interface PageToSweep extends SweepPlace {
  readonly provider: AccountName;
  readonly at: string;
}

/** `next`: the cursor of the next page; null after the last. */
export type ReadPage =
  | { readonly kind: 'page'; readonly next: string | null; readonly found: SweepFound }
  | { readonly kind: 'refused'; readonly reason: string };

/** Longer than any of ours. */
const REFERENCE_MAX_LENGTH = 64;

/** A text that a third party may have chosen. */
export function plainReference(text: string): string {
  return plain(text.slice(0, REFERENCE_MAX_LENGTH));
}

export function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_., -]/g, '?');
}

/** Fails the activity if the payment could not be notified: the page is read again, with all its notifications. */
export async function assertNotified(paymentId: string, notified: Promise<boolean>): Promise<void> {
  Context.current().heartbeat(paymentId);
  if (!(await notified)) throw ApplicationFailure.retryable('a payment could not be notified', 'NOT_NOTIFIED');
}
