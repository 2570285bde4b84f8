// A proposed rule change: its proof, its decisions, and putting an approved one in force.
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { countedApprovals, type RuleChangeProofSummary, type RuleChangeSnapshot } from '../../domain/rule-change.js';
import { parseRuleSet } from '../../domain/rules/rule-set.js';
import type { Database } from '../../store/database.js';
import { proveRuleChange } from '../../store/rules/rule-change-proof.js';
import {
  proofSummary,
  proposedEngine,
  ruleChangeOf,
  ruleChangeSnapshot,
  storeProof,
  storeRuleChange,
} from '../../store/rules/rule-changes.js';
import { replaceRuleSet } from '../../store/rules/rule-set-replacement.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { missingRowsAreFinal } from '../missing-rows.js';
import type { RuleChangeActivities } from './types.js';

type ProofInput = Parameters<RuleChangeActivities['proveRuleChange']>[0];
type ApplicationInput = Parameters<RuleChangeActivities['applyRuleChange']>[0];

export function createRuleChangeStore(
  database: Database,
  sealer: Sealer,
): Omit<RuleChangeActivities, 'proveRuleChange'> {
  return {
    loadRuleChange: ({ changeId, operationId }) =>
      missingRowsAreFinal(async () => ruleChangeSnapshot(await ruleChangeOf(database, changeId, operationId))),
    storeRuleChange: ({ change }) => storeRuleChange(database, change),
    applyRuleChange: (input) => missingRowsAreFinal(() => applyRuleChange(database, sealer, input)),
  };
}

export function createRuleChangeProof(database: Database): Pick<RuleChangeActivities, 'proveRuleChange'> {
  return { proveRuleChange: (input) => missingRowsAreFinal(() => proveStored(database, input)) };
}

async function proveStored(database: Database, input: ProofInput): Promise<RuleChangeProofSummary> {
  const { changeId, operationId, number, through } = input;
  const before = await ruleChangeOf(database, changeId, operationId);
  if (before.proofNumber < number) {
    const order = {
      operationId,
      baseVersion: before.baseVersion,
      rules: parseRuleSet(before.rules),
      engine: proposedEngine(before),
      through,
    };
    await storeProof(database, input, await proveRuleChange(database, order, reportProgress));
  }
  const summary = proofSummary(await ruleChangeOf(database, changeId, operationId));
  if (summary === null)
    throw ApplicationFailure.nonRetryable(`rule change ${changeId} was closed without a report`, 'RuleChangeClosed');
  return summary;
}

/** Ends the work for a request that was decided in the meantime. */
function reportProgress(cases: number): void {
  const context = Context.current();
  context.heartbeat({ cases });
  if (context.cancellationSignal.aborted) throw new CancelledFailure('the report is no longer needed');
}

async function applyRuleChange(
  database: Database,
  sealer: Sealer,
  { change, eventId }: ApplicationInput,
): ReturnType<RuleChangeActivities['applyRuleChange']> {
  const { id, operationId, baseVersion, proof } = change;
  if (proof === null) throw ApplicationFailure.nonRetryable(`rule change ${id} has no report`, 'ProofMissing');
  const row = await ruleChangeOf(database, id, operationId);
  // A repeat after a lost answer.
  if (row.appliedVersion !== null) return { kind: 'applied', version: row.appliedVersion };
  const replaced = await replaceRuleSet(database, sealer, {
    operationId,
    baseVersion,
    rules: parseRuleSet(row.rules),
    engine: proposedEngine(row),
    createdBy: createdBy(change),
    at: change.decidedAt ?? row.createdAt.toISOString(),
    eventId,
    request: { id, decisions: change.decisions, proofDigest: proof.digest },
  });
  if (replaced.kind === 'stored') return { kind: 'applied', version: replaced.version };
  const { appliedVersion } = await ruleChangeOf(database, id, operationId);
  if (appliedVersion !== null) return { kind: 'applied', version: appliedVersion };
  // Not stored although no other version was: the operation has no counter, or the request was closed by hand.
  if (replaced.currentVersion === baseVersion) throw new Error(`rule change ${id} could not be stored`);
  return { kind: 'superseded', currentVersion: replaced.currentVersion };
}

/** The request and the people who approved it. */
function createdBy(change: RuleChangeSnapshot): string {
  const people = countedApprovals(change).map(({ person }) => person);
  return `${change.id} (${people.join(', ')})`;
}
