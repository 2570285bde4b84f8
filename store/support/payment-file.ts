// One payment with everything support needs to explain it: state, decisions, ledger movements, deliveries, alerts. No
// personal data.
import type { ReviewDecision } from '../../domain/payments/deposit.js';
import type { ReturnRequest } from '../../domain/payments/deposit-record.js';
import { toMoney } from '../../domain/money.js';
import { mayHaveLeft, type PayoutSendState } from '../../domain/payments/withdrawal.js';
import type { Deposit, Prisma, Withdrawal } from '../../prisma/generated/client.js';
import { type Database, toBigInt } from '../database.js';
import type { Sealer } from '../sealing/sealer.js';
import { readAlertsOf } from '../alerts/list.js';
import { deliveriesOf, eventsOfObject } from '../events/object-events.js';
import { entriesOfPayment } from '../ledger/entries.js';
import { payoutSendOf } from '../payments/withdrawal/payout-sends.js';
import { approvalsOf, reviewStarts, shownReasons } from '../payments/reviews.js';

const MOST_ROWS = 500;

/** A deposit of any operation; `null` if there is none. */
export async function readDepositFile(database: Database, id: string) {
  const row = await database.deposit.findUnique({ where: { id } });
  return row === null ? null : { deposit: depositState(row), ...(await readHistory(database, row)) };
}

/**
 * A withdrawal of any operation; `null` if there is none. With `sealer`, the operator's own review reasons are
 * included.
 */
export async function readWithdrawalFile(database: Database, id: string, sealer?: Sealer) {
  const row = await database.withdrawal.findUnique({ where: { id } });
  if (row === null) return null;
  const send = await payoutSendOf(database, id);
  return {
    withdrawal: withdrawalState(row, sealer === undefined ? row.decisionReasons : shownReasons(row, sealer)),
    /** When the only permission to send was taken; null: nothing was sent to the provider. */
    send_claimed_at: send !== null && mayHaveLeft(send.state as PayoutSendState) ? send.claimedAt : null,
    ...(await readHistory(database, row)),
  };
}

/** A person's decision, without the id of the update that brought it. */
function published<Decision extends { readonly actId?: string }>({ actId: _, ...decision }: Decision) {
  return decision;
}

function depositState(row: Deposit) {
  return {
    id: row.id,
    operation_id: row.operationId,
    external_id: row.externalId,
    status: row.status,
    version: row.version,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    paid_amount: row.paidAmountMinor === null ? null : toMoney(toBigInt(row.paidAmountMinor), row.currency),
    provider: row.provider,
    failure_code: row.failureCode,
    review_reasons: row.reviewReasons,
    decided_by: (row.decidedBy as unknown as readonly ReviewDecision[]).map(published),
    return_requested: row.returnRequest === null ? null : published(row.returnRequest as unknown as ReturnRequest),
    end_to_end_id: row.endToEndId,
    payer_known: row.payerSealed !== null,
    late_payment: row.latePayment,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    paid_at: row.paidAt,
    expires_at: row.expiresAt,
  };
}

function withdrawalState(row: Withdrawal, reasons: readonly string[]) {
  return {
    id: row.id,
    operation_id: row.operationId,
    external_id: row.externalId,
    status: row.status,
    version: row.version,
    amount: toMoney(toBigInt(row.amountMinor), row.currency),
    fee: row.feeMinor === null ? null : toMoney(toBigInt(row.feeMinor), row.currency),
    provider: row.provider,
    destination_type: row.destinationType,
    decision: {
      mode: row.decisionMode,
      reasons,
      ruleset_version: row.ruleSetVersion,
      decided_by: withoutActIds(row.decidedBy),
      decided_at: row.decidedAt,
    },
    approvals: approvalsOf(row),
    conclusions: withoutActIds(row.writeOffs),
    psp_reference: row.pspReference,
    failure_code: row.failureCode,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    paid_at: row.paidAt,
  };
}

/** Stored decisions of people, without the ids of the updates that brought them. */
function withoutActIds(acts: Prisma.JsonValue): object[] {
  return (acts as { actId?: string }[]).map(({ actId: _, ...act }) => act);
}

async function readHistory(database: Database, payment: { readonly id: string; readonly operationId: string }) {
  const events = await eventsOfObject(database, payment, MOST_ROWS);
  const [deliveries, movements, alerts] = await Promise.all([
    deliveriesOf(database, events, MOST_ROWS),
    readMovements(database, payment),
    readAlertsOf(database, payment.id),
  ]);
  return {
    events: events.map((event) => ({
      id: event.id,
      type: event.type,
      version: event.objectVersion,
      created_at: event.createdAt,
    })),
    deliveries: deliveries.map((delivery) => ({
      event_id: delivery.eventId,
      attempt: delivery.attempt,
      sent_at: delivery.sentAt,
      response_status: delivery.responseStatus,
      error: delivery.error,
      duration_ms: delivery.durationMs,
      next_attempt_at: delivery.nextAttemptAt,
    })),
    movements,
    alerts,
  };
}

/** The payment's ledger entries, in order. */
async function readMovements(database: Database, payment: { readonly id: string; readonly operationId: string }) {
  const entries = await entriesOfPayment(database, payment, MOST_ROWS);
  return entries.map((entry) => ({
    step: entry.step,
    movement: entry.movement,
    account: entry.account,
    amount_minor: toBigInt(entry.amountMinor).toString(),
    at: entry.createdAt,
  }));
}

/** The data for a reviewer: the payment, and the facts, thresholds and outcome of every decision on it. */
export async function readReview(database: Database, sealer: Sealer, kind: 'deposit' | 'withdrawal', id: string) {
  const file =
    kind === 'deposit' ? await readDepositFile(database, id) : await readWithdrawalFile(database, id, sealer);
  if (file === null) return null;
  const [since, decisions] = await Promise.all([
    reviewStarts(database, [id]),
    database.decision.findMany({ where: { objectId: id }, orderBy: { id: 'asc' }, take: MOST_ROWS }),
  ]);
  return {
    ...file,
    since: since.get(id) ?? null,
    decisions: decisions.map((decision) => ({
      stage: decision.stage,
      ruleset_version: decision.ruleSetVersion,
      outcome: decision.outcome,
      verdicts: decision.verdicts,
      facts: decision.facts,
      thresholds: decision.thresholds,
      decided_at: decision.decidedAt,
    })),
  };
}
