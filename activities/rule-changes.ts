// Proposed changes of rules in Postgres: reading the request, keeping its decisions, and putting an approved one in force.
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { RuleChangeProofSummary, RuleChangeSnapshot } from '../domain/rule-change.js';
import { countedApprovals } from '../domain/rule-change.js';
import { parseRuleSet } from '../domain/rules/rule-set.js';
import { Prisma, type RuleChangeRequest } from '../prisma/generated/client.js';
import { canonicalJson } from '../domain/rules/canonical-json.js';
import type { Database } from '../store/database.js';
import { type RuleChangeProof, proveRuleChange } from '../store/rules/rule-change-proof.js';
import { decisionAuditSql, replaceRuleSet } from '../store/rules/rule-sets.js';
import { proofSummary, proposedEngine, ruleChangeSnapshot } from '../store/rules/rule-changes.js';
import type { Sealer } from '../store/sealing/sealer.js';
import type { RuleChangeActivities } from './operation-types.js';

export function createRuleChangeStore(database: Database, sealer: Sealer): RuleChangeActivities {
  return {
    loadRuleChange: async ({ changeId, operationId }) =>
      ruleChangeSnapshot(await requestOf(database, changeId, operationId)),
    proveRuleChange: (input) => proveStored(database, input),
    storeRuleChange: ({ change }) => storeRuleChange(database, change),
    applyRuleChange: (input) => applyRuleChange(database, sealer, input),
  };
}

type ProofInput = Parameters<RuleChangeActivities['proveRuleChange']>[0];

async function proveStored(database: Database, input: ProofInput): Promise<RuleChangeProofSummary> {
  const { changeId, operationId, number, through } = input;
  const before = await requestOf(database, changeId, operationId);
  if (before.proofNumber < number) {
    const order = {
      operationId,
      baseVersion: before.baseVersion,
      rules: parseRuleSet(before.rules),
      engine: proposedEngine(before),
      through,
    };
    const proof = await proveRuleChange(database, order, reportProgress);
    await storeProof(database, input, proof);
  }
  const summary = proofSummary(await requestOf(database, changeId, operationId));
  if (summary === null)
    throw ApplicationFailure.nonRetryable(`rule change ${changeId} was closed without a report`, 'RuleChangeClosed');
  return summary;
}

/** Ends the work of a request that was decided meanwhile. */
function reportProgress(cases: number): void {
  const context = Context.current();
  context.heartbeat({ cases });
  if (context.cancellationSignal.aborted) throw new CancelledFailure('nobody waits for the report any more');
}

/** The first to be stored under its number stays: what somebody may have read is never replaced by a retry. */
async function storeProof(
  database: Database,
  { changeId, operationId, number, through, person }: ProofInput,
  { proposal, report, digest }: RuleChangeProof,
): Promise<void> {
  const audited =
    person === null
      ? Prisma.sql`NULL::text`
      : Prisma.sql`append_audit(${`${changeId}:proof:${number}`}, ${through}::timestamptz, ${person}, 'rule_change.recompute', ${operationId}, ${changeId}, ${canonicalJson({ digest })})::text`;
  await database.$queryRaw`
    WITH stored AS (
      UPDATE rule_change_request SET proof = ${JSON.stringify({ proposal, report })}::jsonb, proof_digest = ${digest}, proof_number = ${number}
      WHERE id = ${changeId} AND operation_id = ${operationId} AND status = 'pending_approval' AND proof_number < ${number}
      RETURNING id
    )
    SELECT ${audited} FROM stored`;
}

async function requestOf(database: Database, changeId: string, operationId: string): Promise<RuleChangeRequest> {
  const row = await database.ruleChangeRequest.findFirst({ where: { id: changeId, operationId } });
  if (row === null)
    throw ApplicationFailure.nonRetryable(`rule change ${changeId} does not exist`, 'RuleChangeMissing');
  return row;
}

/** The row and the audit trail's entry of the newest decision, in one statement; repeating it changes nothing. */
async function storeRuleChange(
  database: Database,
  { id, operationId, status, decisions, decidedAt }: RuleChangeSnapshot,
): Promise<void> {
  await database.$queryRaw`
    WITH changed AS (
      UPDATE rule_change_request SET status = ${status}, decisions = ${JSON.stringify(decisions)}::jsonb,
        decided_by = ${decisions.map(({ person }) => person)}::text[], decided_at = ${decidedAt}::timestamptz
      WHERE id = ${id} AND operation_id = ${operationId} AND status = 'pending_approval'
      RETURNING id
    )
    SELECT ${decisionAuditSql(operationId, id, decisions)} FROM changed`;
}

async function applyRuleChange(
  database: Database,
  sealer: Sealer,
  { change, eventId }: { change: RuleChangeSnapshot; eventId: string },
) {
  const { id, operationId, baseVersion, decisions, proof, decidedAt } = change;
  if (proof === null) throw ApplicationFailure.nonRetryable(`rule change ${id} has no report`, 'ProofMissing');
  const row = await requestOf(database, id, operationId);
  // A repeat whose first answer was lost.
  if (row.appliedVersion !== null) return { kind: 'applied', version: row.appliedVersion } as const;
  const replaced = await replaceRuleSet(database, sealer, {
    operationId,
    baseVersion,
    rules: parseRuleSet(row.rules),
    engine: proposedEngine(row),
    createdBy: `${id} (${countedApprovals(change)
      .map(({ person }) => person)
      .join(', ')})`,
    at: decidedAt ?? row.createdAt.toISOString(),
    eventId,
    request: { id, decisions, proofDigest: proof.digest },
  });
  if (replaced.kind === 'stored') return { kind: 'applied', version: replaced.version } as const;
  const { appliedVersion } = await requestOf(database, id, operationId);
  if (appliedVersion !== null) return { kind: 'applied', version: appliedVersion } as const;
  // Not stored although nothing came in between: the operation has no counter, or the request was closed by hand.
  if (replaced.currentVersion === baseVersion) throw new Error(`rule change ${id} could not be stored`);
  return { kind: 'superseded', currentVersion: replaced.currentVersion } as const;
}
