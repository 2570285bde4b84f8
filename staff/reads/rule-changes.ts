// A requested rule change as staff see it: its state, its report, and what it would change.
import {
  countedApprovals,
  RULE_CHANGE_APPROVALS,
  ruleChangeExpiresAt,
  type RuleChangeSnapshot,
} from '../../domain/rule-change.js';
import { defaultRuleSet } from '../../domain/rules/rule-set.js';
import type { RuleChangeRequest } from '../../prisma/generated/client.js';
import type { Database } from '../../store/database.js';
import { currentRuleSet, engineRulesOf, ruleSetOfVersion } from '../../store/rules/rule-sets.js';
import { proofDigest, type RuleChangeProof } from '../../store/rules/rule-change-proof.js';
import {
  listRuleChanges,
  proposedEngine,
  ruleChangeById,
  ruleChangeSnapshot,
  storedProof,
} from '../../store/rules/rule-changes.js';
import { operationNames } from '../../store/operations/operations.js';
import { ruleSetChanges } from './rule-set-changes.js';

/** Changes that wait for approval, oldest first; with `all` the decided ones too. */
export async function readChanges(
  database: Database,
  filter: { operationId: string | null; all: boolean; limit: number },
) {
  const rows = await listRuleChanges(database, filter);
  return rows.map((row) => presentChange(row, ruleChangeSnapshot(row)));
}

/** A change without its report. */
export function summarised(row: RuleChangeRequest) {
  return { ...presentChange(row, ruleChangeSnapshot(row)), justification: row.justification };
}

/** A change in the state that its row has, with the name of its operation; `null` if there is none. */
export async function readChangeState(
  database: Database,
  id: string,
): Promise<{ change: RuleChangeSnapshot; operationName: string } | null> {
  const row = await ruleChangeById(database, id);
  if (row === null) return null;
  const names = await operationNames(database, [row.operationId]);
  return { change: ruleChangeSnapshot(row), operationName: names.get(row.operationId) ?? row.operationId };
}

export type ShownChange = NonNullable<Awaited<ReturnType<typeof readChange>>>;

/** A change with its report and the fields that would differ; `null` if there is none. */
export async function readChange(database: Database, id: string) {
  const row = await ruleChangeById(database, id);
  if (row === null) return null;
  const current = await currentRuleSet(database, row.operationId);
  const proof = storedProof(row);
  return {
    ...summarised(row),
    current_version: current?.version ?? 1,
    changes: await proposedChanges(database, row),
    rules: row.rules,
    proof: proof === null ? null : presentProof(proof, proofDigest(proof)),
  };
}

/** The engine's thresholds are compared only if the change proposes some. */
async function proposedChanges(database: Database, row: RuleChangeRequest) {
  const base = await ruleSetOfVersion(database, row.operationId, row.baseVersion);
  const before = base?.rules ?? defaultRuleSet(1);
  const engine = proposedEngine(row);
  if (engine === null) return ruleSetChanges(before, row.rules as object);
  const engineBefore = await engineRulesOf(database, row.operationId, row.baseVersion);
  return ruleSetChanges({ ...before, engine: engineBefore }, { ...(row.rules as object), engine });
}

/** `approvals.given` has the approvals that count: those of the current report. */
function presentChange(row: RuleChangeRequest, change: RuleChangeSnapshot) {
  return {
    id: change.id,
    operation_id: change.operationId,
    status: change.status,
    base_version: change.baseVersion,
    requested_by: row.requestedBy,
    created_at: change.createdAt,
    expires_at: ruleChangeExpiresAt(change),
    digest: change.proof?.digest ?? null,
    summary: change.proof?.summary ?? null,
    approvals: { given: countedApprovals(change).map(({ person }) => person), needed: RULE_CHANGE_APPROVALS },
    decisions: change.decisions,
    applied_version: change.appliedVersion,
    decided_at: change.decidedAt,
  };
}

/** `is_intact`: the digest of the stored report is the stored digest. */
function presentProof({ proposal, report, digest }: RuleChangeProof, computed: string) {
  return { digest, is_intact: computed === digest, proposal, report };
}
