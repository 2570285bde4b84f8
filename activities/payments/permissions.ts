// Handles a refused permission: a reason that no honest use leads to raises one alert for each payment and reason.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import type { AskedOfProvider, PermissionRefusal } from '../../domain/permissions.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';

interface AlertStore {
  raiseAlert(alert: GatewayAlert): Promise<void>;
}

/** Raises the alert of a refusal that no honest use leads to. */
export async function tellOfTampering(
  alerts: AlertStore,
  asked: AskedOfProvider,
  { id: objectId, operationId, at }: PaymentRef,
  refusal: PermissionRefusal,
): Promise<void> {
  await alerts.raiseAlert({
    kind: 'NOT_IN_THE_BOOKS',
    detail: `${objectId}: the ${asked} was refused (${refusal})`,
    occasion: `${asked} ${refusal}`,
    operationId,
    objectId,
    at,
  });
}
