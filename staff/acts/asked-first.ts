// An act that goes to Temporal without a stored row of its own. The audit trail has it before it can have an effect: an
// answer may be lost, and then nobody else would know whose act it was.
import { appendAudit, type HumanAct } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';

/**
 * Writes what a person asks for into the audit trail, then does it. What is known to have been refused has a second
 * entry, `…_refused`; without one it was done, or nobody knows.
 */
export async function askedFirst<Outcome extends { readonly kind: string }>(
  database: Database,
  act: HumanAct,
  refusals: readonly Outcome['kind'][],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  await appendAudit(database, act);
  const outcome = await work();
  if (refusals.includes(outcome.kind))
    await appendAudit(database, { ...act, action: `${act.action}_refused`, detail: { why: outcome.kind } });
  return outcome;
}
