// The audit trail of people's actions: append-only, each entry chained to the one before by its hash. An action is
// appended in the transaction that makes the change, as its last step. `append_audit` is a database function, hence
// SQL.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { Database } from '../database.js';

/** A person's action. `detail` holds ids, codes, reasons and counts; no personal data of players and no secrets. */
export interface HumanAct {
  readonly person: string;
  readonly action: string;
  readonly operationId: string | null;
  readonly subject: string | null;
  readonly detail?: JsonValue;
}

export interface AuditEntry {
  readonly sequence: bigint;
  readonly at: Date;
  readonly person: string;
  readonly action: string;
  readonly operationId: string | null;
  readonly subject: string | null;
  readonly detail: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Appends an action inside the caller's transaction. */
export async function appendAudit(
  transaction: Pick<Database, '$queryRaw'>,
  { person, action, operationId, subject, detail = {} }: HumanAct,
): Promise<void> {
  await transaction.$queryRaw`
    SELECT append_audit(
      NULL, clock_timestamp(), ${person}, ${action}, ${operationId}, ${subject}, ${canonicalJson(detail)}
    )::text AS sequence`;
}

/** The hash that an entry must have, computed like `append_audit` does. */
function auditHash({
  sequence,
  at,
  person,
  action,
  operationId,
  subject,
  detail,
  previousHash,
}: Omit<AuditEntry, 'hash'>): string {
  const lines = [
    sequence.toString(),
    at.toISOString(),
    person,
    action,
    operationId ?? '',
    subject ?? '',
    detail,
    previousHash,
  ];
  return createHash('sha256').update(lines.join('\n'), 'utf8').digest('hex');
}

const FIRST_HASH = '0'.repeat(64);

export type AuditProblem = 'hash_differs' | 'chain_broken' | 'entry_missing' | 'head_differs' | 'anchor_missing';

export interface AuditVerification {
  readonly entries: number;
  /** The newest entry's hash. Noted elsewhere, it proves later that no entry was removed from the end. */
  readonly headHash: string;
  readonly problems: readonly { readonly sequence: string; readonly problem: AuditProblem }[];
}

const PAGE = 1_000;
const MOST_PROBLEMS = 100;

/** Checks the whole chain in one snapshot. `anchor` is a head's hash noted earlier: it must still be in the chain. */
export async function verifyAudit(database: Database, anchor: string | null): Promise<AuditVerification> {
  return database.$transaction(
    async (transaction) => {
      const problems: { sequence: string; problem: AuditProblem }[] = [];
      let [expected, previousHash, entries, isAnchored] = [1n, FIRST_HASH, 0, anchor === null || anchor === FIRST_HASH];
      for (;;) {
        const page = await transaction.auditEntry.findMany({
          where: { sequence: { gte: expected } },
          orderBy: { sequence: 'asc' },
          take: PAGE,
        });
        for (const entry of page) {
          const sequence = entry.sequence.toString();
          if (entry.sequence !== expected) problems.push({ sequence: expected.toString(), problem: 'entry_missing' });
          else if (entry.previousHash !== previousHash) problems.push({ sequence, problem: 'chain_broken' });
          if (auditHash(entry) !== entry.hash) problems.push({ sequence, problem: 'hash_differs' });
          isAnchored ||= entry.hash === anchor;
          [expected, previousHash, entries] = [entry.sequence + 1n, entry.hash, entries + 1];
        }
        if (page.length < PAGE || problems.length >= MOST_PROBLEMS) break;
      }
      const head = await transaction.auditHead.findUnique({ where: { id: 1 } });
      if (head === null || head.sequence !== expected - 1n || head.hash !== previousHash)
        problems.push({ sequence: (expected - 1n).toString(), problem: 'head_differs' });
      if (!isAnchored) problems.push({ sequence: (expected - 1n).toString(), problem: 'anchor_missing' });
      return { entries, headHash: previousHash, problems: problems.slice(0, MOST_PROBLEMS) };
    },
    { isolationLevel: 'RepeatableRead', maxWait: 5_000, timeout: 60_000 },
  );
}

/** Entries, newest first. */
export async function listAudit(
  database: Database,
  { operationId, subject, limit }: { operationId: string | null; subject: string | null; limit: number },
): Promise<AuditEntry[]> {
  return database.auditEntry.findMany({
    where: { ...(operationId === null ? {} : { operationId }), ...(subject === null ? {} : { subject }) },
    orderBy: { sequence: 'desc' },
    take: limit,
  });
}
