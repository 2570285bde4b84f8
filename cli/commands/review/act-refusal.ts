// Why a person's act on a payment was not done, in words.
import { STAFF_ACT_REFUSALS, type StaffActRefusal } from '../../../domain/staff.js';
import type { PaymentKind } from '../../inputs/payment.js';

export function actRefusal(
  { kind, id }: { readonly kind: PaymentKind; readonly id: string },
  refusal: StaffActRefusal,
): string {
  return `${kind} ${id}: ${STAFF_ACT_REFUSALS[refusal]}; nothing changed`;
}
