// Proposed changes of rules as the panel shows them: those that wait, and one with its report.
import type { Answering } from '../../../contract/panel/routes.js';
import type { WhyNot } from '../../../contract/panel/schemas/common.js';
import { isApiKey } from '../../../domain/identifiers.js';
import { isSamePerson } from '../../../domain/people.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import type { StaffActKind } from '../../../domain/staff.js';
import type { Database } from '../../../store/database.js';
import { operationNames } from '../../../store/operations/operations.js';
import { pendingRuleChanges } from '../../../store/rules/rule-changes.js';
import { inboxReach, may, sees, type Viewer } from '../../viewer.js';
import { readChange, type ShownChange, summarised } from '../rule-changes.js';
import { operationOf } from './payment.js';
import { possibility, typedFor } from './possibilities.js';

const MOST_CHANGES = 100;

export async function readRuleChanges(database: Database, viewer: Viewer): Promise<Answering<'readRuleChanges'>> {
  const rows = await pendingRuleChanges(database, inboxReach(viewer, 'rule_change'), MOST_CHANGES + 1);
  const names = await operationNames(
    database,
    rows.map(({ operationId }) => operationId),
  );
  const items = rows.slice(0, MOST_CHANGES).map((row) => shown(summarised(row), names));
  return { items, more: rows.length > MOST_CHANGES };
}

/** `null` if there is no such change, or the viewer may not see it. */
export async function readRuleChange(
  database: Database,
  viewer: Viewer,
  id: string,
): Promise<Answering<'readRuleChange'> | null> {
  const change = await readChange(database, id);
  if (change === null || !sees(viewer, change.operation_id)) return null;
  const { proof, changes, decisions } = change;
  return {
    ...shown(change, new Map()),
    operation: await operationOf(database, change.operation_id),
    version_in_force: change.current_version,
    differences: changes.map(({ path, from, to }) => ({ path, from: from as JsonValue, to: to as JsonValue })),
    decided: decisions.map(({ person, decision, reason, at }) => ({ person, decision, reason, at })),
    proof: proof === null ? null : { digest: proof.digest, is_intact: proof.is_intact, report: proof.report },
    acts: actsOn(viewer, change),
  };
}

function shown(change: ReturnType<typeof summarised>, names: ReadonlyMap<string, string>) {
  const { id, operation_id: operation, status, base_version, applied_version, requested_by, justification } = change;
  const { created_at, expires_at, decided_at, approvals } = change;
  return {
    ...{ id, status, base_version, applied_version, requested_by, justification, created_at, expires_at, decided_at },
    is_operators: isApiKey(requested_by),
    operation: { id: operation, name: names.get(operation) ?? operation },
    approvals: { given: [...approvals.given], needed: approvals.needed },
  };
}

/** An approval confirms the end of the digest, because it is for one report. */
function actsOn(viewer: Viewer, { status, proof, approvals, operation_id: operationId }: ShownChange) {
  const isOver = status === 'pending_approval' ? null : ('other_state' as const);
  const role = (kind: StaffActKind): WhyNot | null => (may(viewer, kind, operationId) ? null : 'not_your_role');
  const report: WhyNot | null = proof === null ? 'no_report' : proof.is_intact ? null : 'report_broken';
  const isApproved = approvals.given.some((person) => isSamePerson(person, viewer.handle));
  return {
    approve: {
      ...possibility(isOver, report, isApproved ? 'approved_before' : null, role('rule_change.approve')),
      confirm: proof === null ? null : typedFor(viewer, proof.digest),
    },
    reject: possibility(isOver, role('rule_change.reject')),
    recompute: possibility(isOver, role('rule_change.recompute')),
  };
}
