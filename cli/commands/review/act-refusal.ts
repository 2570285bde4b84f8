// Why a person's act on a payment was not done, in words.
import { STAFF_ACT_REFUSALS, type StaffActRefusal } from '../../../domain/staff.js';
import { OR_BREAK_GLASS, SIGNED_IN_PANEL } from '../../actor.js';
import type { PaymentKind } from '../../inputs/payment.js';

export function actRefusal(
  { kind, id }: { readonly kind: PaymentKind; readonly id: string },
  refusal: StaffActRefusal,
): string {
  const hint = refusal === 'not_permitted' ? SIGNED_IN_PANEL + OR_BREAK_GLASS : '';
  return `${kind} ${id}: ${STAFF_ACT_REFUSALS[refusal]}; nothing changed${hint}`;
}
