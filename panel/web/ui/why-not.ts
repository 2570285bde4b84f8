// Why an act is disabled for the viewer, and which acts are none of their business.
import { isOperators, mayDo, type StaffActKind } from '../../../domain/staff.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

/** `null` when they hold a role that may do it in the operation. What does the act asks again. */
export function useWhyNot(operationId: string): (kind: StaffActKind) => string | null {
  const held = useHeld();
  const { whyNot } = useTexts(commonTexts);
  return (kind) => (mayDo(held, kind, operationId) ? null : whyNot.not_your_role);
}

/** Whether an act is shown to them, perhaps disabled: to an operator's people only what they may do. */
export function useIsShown(operationId: string): (kind: StaffActKind) => boolean {
  const held = useHeld();
  const isStaff = held.some(({ role }) => !isOperators(role));
  return (kind) => isStaff || mayDo(held, kind, operationId);
}

function useHeld() {
  return useSession().roles.map(({ role, operation }) => ({ role, operationId: operation?.id ?? null }));
}
