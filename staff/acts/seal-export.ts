// The seals of the audit trail that are missing outside the database, written there: into a new place, or after a loss
// that people understand.
import { appendAudit } from '../../store/audit/audit.js';
import { exportSeals } from '../../store/audit/sealing.js';
import type { SealWitness } from '../../store/audit/seal.js';
import type { Database } from '../../store/database.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';

export type SealsExported =
  | { readonly kind: 'exported'; readonly seals: number }
  /** No key or no place of seals is configured. */
  | { readonly kind: 'no_place' }
  | { readonly kind: 'not_permitted' };

export async function exportMissingSeals(
  database: Database,
  person: Actor,
  witness: SealWitness | null,
): Promise<SealsExported> {
  const action = 'audit.export';
  if (!(await mayNow(database, person, action, null))) return { kind: 'not_permitted' };
  if (witness === null) return { kind: 'no_place' };
  const seals = await exportSeals(database, witness);
  await appendAudit(database, { person, action, operationId: null, subject: null, detail: { seals } });
  return { kind: 'exported', seals };
}
