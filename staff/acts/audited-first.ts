// An act that goes to Temporal without a stored row of its own. It is written to the audit trail before it can have an
// effect: if the answer is lost, the trail still shows whose act it was.
import type { RefusableAction } from '../../domain/audit-actions.js';
import { appendAudit, type HumanAct } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';

/**
 * Writes what a person asks for into the audit trail, then does it; `work` may ask several times until it is taken.
 * What is known to have been refused has a second entry, `…_refused`; without one it was done, or its outcome is
 * unknown.
 */
export async function auditedFirst<Outcome extends { readonly kind: string; readonly why?: string }>(
  database: Database,
  act: HumanAct & { readonly action: RefusableAction },
  refusals: readonly Outcome['kind'][],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  await appendAudit(database, act);
  const outcome = await work();
  if (refusals.includes(outcome.kind))
    await appendAudit(database, {
      ...act,
      action: `${act.action}_refused`,
      detail: { why: outcome.why ?? outcome.kind },
    });
  return outcome;
}
