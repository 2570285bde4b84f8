// Acts of staff for the tests of the store: stored by people who are created at their first act, with every role.
import type { PaymentActKind } from '../../../domain/staff.js';
import { insertAct } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import type { StoreFixture } from './fixtures.js';

/** The id of a new act on the payment. */
export async function storedAct(
  { database, operationId }: Pick<StoreFixture, 'database' | 'operationId'>,
  kind: PaymentActKind,
  { id: subjectId, version: subjectVersion }: { readonly id: string; readonly version: number },
  { person = 'ana', reason = 'checked', evidence = '' } = {},
): Promise<string> {
  const handle = await ensureClaimedPerson(database, person);
  const actor = { handle, means: 'claim', sessionId: null } as const;
  return insertAct(database, { actor, kind, operationId, subjectId, subjectVersion, reason, evidence });
}
