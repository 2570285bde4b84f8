// Rows of proposed rule changes, mapped to the domain, and the first storing of one.
import type {
  RuleChangeDecision,
  RuleChangeProofSummary,
  RuleChangeSnapshot,
  RuleChangeStatus,
} from '../../domain/rule-change.js';
import { type EngineRules, engineRulesSchema } from '../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import { Prisma, type RuleChangeRequest } from '../../prisma/generated/client.js';
import { reportInOneLine } from '../../domain/rules/proof/summary.js';
import type { Database } from '../database.js';
import type { RuleChangeProof } from './rule-change-proof.js';

export interface NewRuleChange {
  readonly id: string;
  readonly operationId: string;
  readonly baseVersion: number;
  readonly rules: RuleSet;
  /** The engine's own thresholds; null keeps those in force. */
  readonly engine: EngineRules | null;
  readonly justification: string;
  /** The API key that asked, or the person. */
  readonly requestedBy: string;
}

/** Stores a request once: a repeat after a crash carries the same id and changes nothing. */
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

/** What the workflow and the support commands know of a request. */
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

/** The engine's own thresholds that are proposed; null where those in force are kept. */
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

/** What the workflow knows of the stored proof. */
export function proofSummary(
  row: Pick<RuleChangeRequest, 'proof' | 'proofDigest' | 'proofNumber'>,
): RuleChangeProofSummary | null {
  const proof = storedProof(row);
  return proof === null
    ? null
    : { digest: proof.digest, number: row.proofNumber, summary: reportInOneLine(proof.report) };
}
