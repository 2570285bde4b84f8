// Payments as `find` shows them: status and since when, what the status waits for, and open alerts. Reads the database
// only; no personal data.
import { type WaitingFor, WAITS } from '../../contract/temporal/search-attributes.js';
import { ALERTS } from '../../domain/alerts.js';
import { type DepositStatus, EXPIRY_GRACE_SECONDS, isDepositClosed } from '../../domain/payments/deposit.js';
import { toMoney } from '../../domain/money.js';
import {
  isWithdrawalClosed,
  type WithdrawalStatus,
  mayHaveLeft,
  PAYOUT_SEND_STATES,
} from '../../domain/payments/withdrawal.js';
import type { Alert, Deposit, Withdrawal } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import { operationNames } from '../operations/operations.js';
import type { PaymentMatch } from './lookups.js';

/** What a payment waits for, as its row shows it. */
export interface StatedWait {
  readonly for: WaitingFor;
  readonly meaning: string;
  /** The next step, and its time if that is known. */
  readonly next: string | null;
  readonly at: Date | null;
}

/** What a deposit waits for in each status. */
const DEPOSIT_WAITS: Readonly<Record<DepositStatus, WaitingFor>> = {
  created: 'provider_charge',
  pending: 'payment',
  under_review: 'review',
  paid: 'nothing',
  expired: 'nothing',
  cancelled: 'nothing',
  failed: 'nothing',
  returned: 'nothing',
  refunded: 'nothing',
  chargeback: 'nothing',
};

/** What a withdrawal waits for in each status. An approved one that was sent waits for the provider's reply instead. */
const WITHDRAWAL_WAITS: Readonly<Record<WithdrawalStatus, WaitingFor>> = {
  requested: 'key_owner',
  under_review: 'review',
  approved: 'dispatch_check',
  processing: 'payout_result',
  paid: 'nothing',
  rejected: 'nothing',
  failed: 'nothing',
  cancelled: 'nothing',
  returned: 'nothing',
};

export type FoundPayment = Awaited<ReturnType<typeof readFoundPayments>>[number];

/** Reads the matched payments, in their order. A payment that does not exist is left out. */
export async function readFoundPayments(database: Database, matches: readonly PaymentMatch[]) {
  const ids = matches.map(({ id }) => id);
  const { deposits, withdrawals, sends, alerts, entered } = await readRows(database, ids);
  const operations = await operationNames(
    database,
    [...deposits, ...withdrawals].map(({ operationId }) => operationId),
  );
  const sent = new Set(sends.map(({ withdrawalId }) => withdrawalId));
  const shared = (row: Deposit | Withdrawal) => ({
    id: row.id,
    operation_id: row.operationId,
    operation_name: operations.get(row.operationId) ?? row.operationId,
    external_id: row.externalId,
    player_ref: row.playerRef,
    provider: row.provider,
    status: row.status,
    since: entered.get(`${row.id}:${row.status}`) ?? row.updatedAt,
    created_at: row.createdAt,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    failure_code: row.failureCode,
    open_alerts: alerts.filter(({ objectId }) => objectId === row.id).map(presentOpenAlert),
  });
  const found = [
    ...deposits.map((row) => ({ type: 'deposit' as const, ...shared(row), ...depositPart(row) })),
    ...withdrawals.map((row) => ({
      type: 'withdrawal' as const,
      ...shared(row),
      ...withdrawalPart(row, sent.has(row.id)),
    })),
  ];
  return found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

async function readRows(database: Database, ids: string[]) {
  const where = { id: { in: ids } };
  const [deposits, withdrawals, sends, alerts, entered] = await Promise.all([
    database.deposit.findMany({ where }),
    database.withdrawal.findMany({ where }),
    database.payoutSend.findMany({
      where: { withdrawalId: { in: ids }, state: { in: PAYOUT_SEND_STATES.filter(mayHaveLeft) } },
      select: { withdrawalId: true },
    }),
    database.alert.findMany({ where: { objectId: { in: ids }, resolvedAt: null }, orderBy: { createdAt: 'asc' } }),
    readEntered(database, ids),
  ]);
  return { deposits, withdrawals, sends, alerts, entered };
}

function depositPart(row: Deposit) {
  const status = row.status as DepositStatus;
  const expiry = new Date(row.expiresAt.getTime() + EXPIRY_GRACE_SECONDS * 1_000);
  return {
    end_to_end_id: row.endToEndId,
    reasons: row.reviewReasons,
    is_closed: isDepositClosed(status),
    awaits: awaited(DEPOSIT_WAITS[status], status === 'pending' ? { next: 'it expires', at: expiry } : {}),
  };
}

function withdrawalPart(row: Withdrawal, isSent: boolean) {
  const status = row.status as WithdrawalStatus;
  return {
    end_to_end_id: row.pspReference,
    reasons: row.decisionReasons,
    is_closed: isWithdrawalClosed(status),
    awaits: awaited(status === 'approved' && isSent ? 'payout_reply' : WITHDRAWAL_WAITS[status]),
  };
}

function awaited(waitingFor: WaitingFor, more: { next?: string; at?: Date } = {}): StatedWait {
  return { for: waitingFor, meaning: WAITS[waitingFor], next: more.next ?? null, at: more.at ?? null };
}

function presentOpenAlert({ id, kind, createdAt }: Alert) {
  const known = ALERTS[kind as keyof typeof ALERTS] as (typeof ALERTS)[keyof typeof ALERTS] | undefined;
  return { id, kind, since: createdAt, do: known?.safeAction ?? null };
}

/** When each payment entered each status, by the time of its event. Keys are `id:status`. */
async function readEntered(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const events = await database.event.findMany({
    where: { objectId: { in: [...ids] } },
    select: { objectId: true, type: true, createdAt: true },
    orderBy: { sequence: 'asc' },
    take: 50 * ids.length,
  });
  return new Map(
    events.map(({ objectId, type, createdAt }) => [`${objectId}:${type.slice(type.indexOf('.') + 1)}`, createdAt]),
  );
}
