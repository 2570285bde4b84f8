// What was settled on a day: read from the ledger, whose entries are written once, so a closed day never changes.
import { type Database, toBigInt } from '../client.js';
import type { Sealer } from '../sealing.js';
import { Prisma } from '../../prisma/generated/client.js';

export const SETTLEMENT_KINDS = ['deposit', 'withdrawal', 'refund', 'chargeback', 'return'] as const;
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];

export interface Settlement {
  readonly objectId: string;
  readonly externalId: string;
  readonly kind: SettlementKind;
  /** The object's status right after it. */
  readonly status: string;
  readonly amountMinor: bigint;
  readonly settledAt: Date;
}

/** Every settlement of the UTC day, sorted by object id and kind (bytewise). */
export async function readSettlements(database: Database, operationId: string, currency: string, day: Date): Promise<Settlement[]> {
  const nextDay = new Date(day.getTime() + 86_400_000);
  const rows = await database.$queryRaw<SettlementRow[]>(Prisma.sql`
    WITH moved AS (
      SELECT split_part(entry.transfer_id, ':', 1) AS object_id, entry.created_at AS settled_at, abs(entry.amount_minor) AS amount_minor,
        kinds.kind, kinds.status
      FROM ledger_entry AS entry
      JOIN (VALUES
        ('deposit_credited', 'available', 'deposit', 'paid'),
        ('deposit_released', 'available', 'deposit', 'paid'),
        ('deposit_refunded', 'available', 'refund', 'refunded'),
        ('deposit_charged_back', 'available', 'chargeback', 'chargeback'),
        ('withdrawal_paid', 'pending_out', 'withdrawal', 'paid'),
        ('withdrawal_returned', 'available', 'return', 'returned')
      ) AS kinds (movement, account, kind, status) ON kinds.movement = entry.movement AND kinds.account = entry.account
      WHERE entry.operation_id = ${operationId} AND entry.currency = ${currency}
        AND entry.created_at >= ${day} AND entry.created_at < ${nextDay}
    )
    SELECT moved.*, coalesce(deposit.external_id, withdrawal.external_id) AS external_id
    FROM moved
    LEFT JOIN deposit ON deposit.id = moved.object_id AND deposit.operation_id = ${operationId}
    LEFT JOIN withdrawal ON withdrawal.id = moved.object_id AND withdrawal.operation_id = ${operationId}
    ORDER BY moved.object_id COLLATE "C", moved.kind COLLATE "C"`);
  return rows.map((row) => ({
    objectId: row.object_id,
    externalId: row.external_id ?? '',
    kind: row.kind,
    status: row.status,
    amountMinor: toBigInt(row.amount_minor),
    settledAt: row.settled_at,
  }));
}

interface SettlementRow {
  readonly object_id: string;
  readonly external_id: string | null;
  readonly kind: SettlementKind;
  readonly status: string;
  readonly amount_minor: Prisma.Decimal;
  readonly settled_at: Date;
}

/** The operation's webhook secrets that are valid now, newest first. */
export async function readWebhookSecrets(database: Database, sealer: Sealer, operationId: string, now: Date): Promise<string[]> {
  const rows = await database.webhookSecret.findMany({
    where: { operationId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: { createdAt: 'desc' },
    take: 2,
  });
  return rows.map(({ secretSealed }) => sealer.openBytes(secretSealed).toString('utf8'));
}
