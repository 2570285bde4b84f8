// Why an act is disabled for the viewer.
import { PERMISSIONS, type StaffActKind } from '../../../domain/staff.js';
import { holds, useSession } from '../api/session.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

/** `null` when they hold a role that may do it somewhere. What does the act asks again. */
export function useWhyNot(): (kind: StaffActKind) => string | null {
  const session = useSession();
  const { whyNot } = useTexts(commonTexts);
  return (kind) => (holds(session, PERMISSIONS[kind]) ? null : whyNot.not_your_role);
}
