// Why an act is disabled for the viewer.
import { mayDo, type StaffActKind } from '../../../domain/staff.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

/** `null` when they hold a role that may do it in the operation. What does the act asks again. */
export function useWhyNot(operationId: string): (kind: StaffActKind) => string | null {
  const { roles } = useSession();
  const { whyNot } = useTexts(commonTexts);
  const held = roles.map(({ role, operation }) => ({ role, operationId: operation?.id ?? null }));
  return (kind) => (mayDo(held, kind, operationId) ? null : whyNot.not_your_role);
}
