// The audit trail of people's actions: append-only, each entry chained to the one before by its hash. An action is
// appended in the transaction that makes the change, as its last step. `append_audit` is a database function, hence
// SQL. Entries are sealed a few seconds later (sealing.ts).
import { createHash } from 'node:crypto';
import type { AuditAction } from '../../domain/audit-actions.js';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { Doer, DoneBy } from '../../domain/staff.js';
import type { Database } from '../database.js';
import { originAddress } from './origin.js';

/** A person's action. `detail` holds ids, codes, reasons and counts; no personal data of players and no secrets. */
export interface HumanAct {
  readonly person: DoneBy;
  readonly action: AuditAction;
  readonly operationId: string | null;
  readonly subject: string | null;
  readonly detail?: Readonly<Record<string, JsonValue | undefined>>;
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

/** Appends an action inside the caller's transaction. During a request the entry says where that came from. */
export async function appendAudit(
  transaction: Pick<Database, '$queryRaw'>,
  { person, action, operationId, subject, detail = {} }: HumanAct,
): Promise<void> {
  const from = { ...detail, ...addressOf(originAddress()) };
  const [handle, stored] = typeof person === 'string' ? [person, from] : [person.handle, detailBy(person, from)];
  await transaction.$queryRaw`
    SELECT append_audit(
      NULL, clock_timestamp(), ${handle}, ${action}, ${operationId}, ${subject}, ${canonicalJson(stored)}
    )::text AS sequence`;
}

/**
 * The detail of an entry with the means of the person, and if there is a stored act, its id and where it came from.
 */
export function detailBy(
  { means, actId = null, address = null }: Omit<Doer, 'handle'>,
  detail: Readonly<Record<string, JsonValue | undefined>>,
): JsonValue {
  return { ...detail, means, ...(actId === null ? {} : { act_id: actId }), ...addressOf(address) };
}

function addressOf(address: string | null): { readonly address?: string } {
  return address === null ? {} : { address };
}

/** The first entry's value for the hash of the previous one. */
export const FIRST_HASH = '0'.repeat(64);

/** The hash that an entry must have, computed like `append_audit` does. */
export function auditHash({
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
