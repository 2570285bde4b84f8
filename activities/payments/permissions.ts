// The database's permission to ask a provider for something that moves money, and what a refusal leads to. A reason
// that no honest use leads to raises one alert for each payment and reason.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import { alertOf } from '../../domain/alert-records.js';
import {
  type AskedOfProvider,
  isTampered,
  type Permission,
  type TamperedRefusal,
} from '../../domain/payments/permissions.js';
import { inconclusive } from '../provider/charges.js';
import { type AlertStore, raiseAbout } from './alerts.js';
import { notYet } from './not-yet.js';
import { contended } from './until-stored.js';

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
