// Why a person's act on a payment was not done, as the problem of a command.
import { STAFF_ACT_REFUSALS, type StaffActRefusal } from '../../../domain/staff.js';
import { OR_BREAK_GLASS, SIGNED_IN_PANEL } from '../../actor.js';
import type { PaymentKind } from '../../inputs/payment.js';
import { type CommandProblem, refused, refusedForPanel } from '../../problem.js';

export function refusedAct(
  { kind, id }: { readonly kind: PaymentKind; readonly id: string },
  refusal: StaffActRefusal,
): CommandProblem {
  const message = `${kind} ${id}: ${STAFF_ACT_REFUSALS[refusal]}; nothing changed`;
  return refusal === 'not_permitted' ? refusedForPanel(message + SIGNED_IN_PANEL + OR_BREAK_GLASS) : refused(message);
}
