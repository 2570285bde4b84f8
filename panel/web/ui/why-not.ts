// Why an act is disabled for the viewer.
import { PERMISSIONS, type StaffActKind } from '../../../domain/staff.js';
import { holds, useSession } from '../api/session.js';
import { useWords } from '../preferences.js';
import { commonWords } from '../words/common.js';

/** `null` when they hold a role that may do it somewhere. What does the act asks again. */
export function useWhyNot(): (kind: StaffActKind) => string | null {
  const session = useSession();
  const { whyNot } = useWords(commonWords);
  return (kind) => (holds(session, PERMISSIONS[kind]) ? null : whyNot.not_your_role);
}
