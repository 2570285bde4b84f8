// Requests to change rules: storing one, its proof and its decisions, and mapping it to the domain.
import type {
  RuleChangeDecision,
  RuleChangeProofSummary,
  RuleChangeSnapshot,
  RuleChangeStatus,
} from '../../domain/rule-change.js';
import { canonicalJson } from '../../domain/rules/canonical-json.js';
import { type EngineRules, engineRulesSchema } from '../../domain/rules/engine-rules.js';
import { reportInOneLine } from '../../domain/rules/proof/summary.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import { Prisma, type RuleChangeRequest } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { MissingRowError } from '../missing-row.js';
import { decisionAuditSql } from './decision-audit-sql.js';
import type { RuleChangeProof } from './rule-change-proof.js';

export interface NewRuleChange {
  readonly id: string;
  readonly operationId: string;
  readonly baseVersion: number;
  readonly rules: RuleSet;
  /** The engine's own thresholds; null keeps those in force. */
  readonly engine: EngineRules | null;
  readonly justification: string;
  /** The API key or the person. */
  readonly requestedBy: string;
}

/** Stores a request once: a repeat after a crash has the same id and changes nothing. */
export async function insertRuleChange(
  database: Pick<Database, 'ruleChangeRequest'>,
  change: NewRuleChange,
): Promise<void> {
  const rules = change.rules as unknown as Prisma.InputJsonValue;
  const engine = change.engine === null ? Prisma.DbNull : (change.engine as unknown as Prisma.InputJsonValue);
  await database.ruleChangeRequest.createMany({
    data: [{ ...change, rules, engine, decidedBy: [] }],
    skipDuplicates: true,
  });
}

/** The operation's request with this id. Throws MissingRowError. */
export async function ruleChangeOf(
  database: Database,
  changeId: string,
  operationId: string,
): Promise<RuleChangeRequest> {
  const row = await database.ruleChangeRequest.findFirst({ where: { id: changeId, operationId } });
  if (row === null) throw new MissingRowError('RuleChange', `rule change ${changeId} does not exist`);
  return row;
}

export interface ProofToStore {
  readonly changeId: string;
  readonly operationId: string;
  readonly number: number;
  readonly through: string;
  /** Who asked for it; null for the first proof, which has no audit entry. */
  readonly person: string | null;
}

/**
 * Stores a proof under its number, with its audit entry in the same statement (hence SQL). The first one stored under a
 * number stays: a retry never replaces what people may have read.
 */
export async function storeProof(
  database: Database,
  { changeId, operationId, number, through, person }: ProofToStore,
  { proposal, report, digest }: RuleChangeProof,
): Promise<void> {
  const key = `${changeId}:proof:${number}`;
  const detail = canonicalJson({ digest });
  const audited =
    person === null
      ? Prisma.sql`NULL::text`
      : Prisma.sql`
      append_audit(
        ${key}, ${through}::timestamptz, ${person}, 'rule_change.recompute', ${operationId}, ${changeId}, ${detail}
      )::text`;
  await database.$queryRaw`
    WITH stored AS (
      UPDATE rule_change_request SET
        proof = ${JSON.stringify({ proposal, report })}::jsonb, proof_digest = ${digest}, proof_number = ${number}
      WHERE id = ${changeId} AND operation_id = ${operationId} AND status = 'pending_approval'
        AND proof_number < ${number}
      RETURNING id
    )
    SELECT ${audited} FROM stored`;
}

/**
 * Stores status and decisions with the audit entry of the newest one, in one statement. Repeating it changes nothing.
 */
export async function storeRuleChange(
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

/** The request as the workflow and the support commands see it. */
export function ruleChangeSnapshot(row: RuleChangeRequest): RuleChangeSnapshot {
  return {
    id: row.id,
    operationId: row.operationId,
    status: row.status as RuleChangeStatus,
    baseVersion: row.baseVersion,
    decisions: row.decisions as unknown as RuleChangeDecision[],
    proof: proofSummary(row),
    appliedVersion: row.appliedVersion,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}

/** The proposed engine thresholds; null if those in force are kept. */
export function proposedEngine({ engine }: Pick<RuleChangeRequest, 'engine'>): EngineRules | null {
  return engine === null ? null : engineRulesSchema.parse(engine);
}

/** The stored proof; null until it is computed. */
export function storedProof({
  proof,
  proofDigest,
}: Pick<RuleChangeRequest, 'proof' | 'proofDigest'>): RuleChangeProof | null {
  if (proof === null || proofDigest === null) return null;
  return { ...(proof as unknown as Omit<RuleChangeProof, 'digest'>), digest: proofDigest };
}

/** The stored proof as the workflow sees it; null until it is computed. */
export function proofSummary(
  row: Pick<RuleChangeRequest, 'proof' | 'proofDigest' | 'proofNumber'>,
): RuleChangeProofSummary | null {
  const proof = storedProof(row);
  return proof === null
    ? null
    : { digest: proof.digest, number: row.proofNumber, summary: reportInOneLine(proof.report) };
}
