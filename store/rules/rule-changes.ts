// Requests to change rules: storing one, its proof and its expiry, mapping it to the domain, and lists for staff.
import type {
  RuleChangeDecision,
  RuleChangeProofSummary,
  RuleChangeSnapshot,
  RuleChangeStatus,
} from '../../domain/rule-change.js';
import { type EngineRules, engineRulesSchema } from '../../domain/rules/engine-rules.js';
import { reportInOneLine } from '../../domain/rules/proof/report.js';
import type { RuleSet } from '../../domain/rules/rule-set.js';
import type { Reach } from '../../domain/staff.js';
import { Prisma, type RuleChangeRequest } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { MissingRowError } from '../errors.js';
import type { RuleChangeProof } from './rule-change-proof.js';

export interface NewRuleChange {
  readonly id: string;
  readonly operationId: string;
  readonly baseVersion: number;
  readonly rules: RuleSet;
  /** The engine's own thresholds; `null` keeps those in force. */
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

/**
 * Stores the proof of a pending request that has none. The first one stored stays: a retry never replaces what people
 * may have read.
 */
export async function storeProof(
  database: Database,
  { changeId, operationId }: { readonly changeId: string; readonly operationId: string },
  { proposal, report, digest }: RuleChangeProof,
): Promise<void> {
  await database.ruleChangeRequest.updateMany({
    where: { id: changeId, operationId, status: 'pending_approval', proofDigest: null },
    data: {
      proof: { proposal, report } as unknown as Prisma.InputJsonObject,
      proofDigest: digest,
      proofNumber: { increment: 1 },
    },
  });
}

/** Ends a pending request that was not decided in time. */
export async function expireRuleChange(
  database: Database,
  { changeId, operationId, at }: { readonly changeId: string; readonly operationId: string; readonly at: string },
): Promise<void> {
  await database.ruleChangeRequest.updateMany({
    where: { id: changeId, operationId, status: 'pending_approval' },
    data: { status: 'expired', decidedAt: new Date(at) },
  });
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

/** Changes that wait for approval, oldest first; with `all` also the decided ones. */
export function listRuleChanges(
  database: Database,
  { operationId, all, limit }: { operationId: string | null; all: boolean; limit: number },
): Promise<RuleChangeRequest[]> {
  return database.ruleChangeRequest.findMany({
    where: { ...(operationId === null ? {} : { operationId }), ...(all ? {} : { status: 'pending_approval' }) },
    orderBy: { createdAt: 'asc' },
    take: limit,
  });
}

/** Changes of the operations that a person reaches that wait for approval, longest waiting first. */
export function pendingRuleChanges(database: Database, reach: Reach, limit: number): Promise<RuleChangeRequest[]> {
  return database.ruleChangeRequest.findMany({
    where: { status: 'pending_approval', ...(reach === 'every' ? {} : { operationId: { in: [...reach] } }) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** The newest changes of an operation, decided ones too. */
export function latestRuleChanges(
  database: Database,
  operationId: string,
  limit: number,
): Promise<RuleChangeRequest[]> {
  return database.ruleChangeRequest.findMany({ where: { operationId }, orderBy: { createdAt: 'desc' }, take: limit });
}

/** Whether the operation has that change. */
export async function isRuleChangeStored(database: Database, operationId: string, id: string): Promise<boolean> {
  return (await database.ruleChangeRequest.count({ where: { id, operationId } })) > 0;
}

/** The row of a change; `null` if there is none. */
export function ruleChangeById(database: Database, id: string): Promise<RuleChangeRequest | null> {
  return database.ruleChangeRequest.findUnique({ where: { id } });
}
