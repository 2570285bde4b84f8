// A payment's page: what happened to it, what it moved, what was decided, and what may safely be done.
import type { Answering } from '../../../contract/panel/routes.js';
import { chargeReferenceOf, payoutReferenceOf } from '../../../domain/identifiers.js';
import { mayHaveLeft, type PayoutSendState } from '../../../domain/payments/withdrawal.js';
import type { WriteOffAct } from '../../../domain/payments/write-off.js';
import { toMoney } from '../../../domain/money.js';
import { type Database, toBigInt } from '../../../store/database.js';
import { TRACE_PLACE } from '../../../domain/trace-context.js';
import { tracesOfPayment } from '../../../store/support/lookups.js';
import { readAlertsOf } from '../../../store/alerts/list.js';
import { deliveriesOf, eventsOfObject } from '../../../store/events/object-events.js';
import { entriesOfPayment } from '../../../store/ledger/entries.js';
import { leftOfDeposit } from '../../../store/ledger/suspense.js';
import { exchangesOf } from '../../../store/payments/provider-exchanges.js';
import { payoutSendOf } from '../../../store/payments/withdrawal/payout-sends.js';
import { decisionsOf } from '../../../store/rules/decisions.js';
import { actsOnPayment } from '../../../store/support/payment-acts.js';
import type { Viewer } from '../../viewer.js';
import { MOST_DECISIONS, shownRuleDecision } from './decisions.js';
import { moneyOf, moneyOrNull } from './money.js';
import {
  decidedOn,
  isClosed,
  operationOf,
  type PaymentReads,
  type PaymentRow,
  reasonsOf,
  visiblePayment,
} from './payment.js';
import { shownAct } from './payment-acts.js';
import { paymentPossibilities } from './possibilities.js';

const MOST_ROWS = 500;
const MOST_EXCHANGES = 200;
const MOST_ACTS = 300;

/** The page; `null` if there is no such payment, or the viewer may not see it. */
export async function readPaymentPage(
  { database, sealer, tracesUi }: PaymentReads & { readonly tracesUi: string | null },
  viewer: Viewer,
  id: string,
): Promise<Answering<'readPayment'> | null> {
  const payment = await visiblePayment(database, viewer, id);
  if (payment === null) return null;
  const { kind, row } = payment;
  const [operation, decisions, timeline, ledger, left, alerts, traces, send, exchanges] = await Promise.all([
    operationOf(database, row.operationId),
    decisionsOf(database, id, MOST_DECISIONS),
    readTimeline(database, row),
    readLedger(database, row),
    leftOfDeposit(database, row),
    readAlertsOf(database, id),
    tracesOfPayment(database, row),
    kind === 'withdrawal' ? payoutSendOf(database, id) : null,
    exchangesOf(database, id, MOST_EXCHANGES),
  ]);
  const eventIds = timeline.map((event) => event.event_id);
  const acts = await actsOnPayment(database, row, eventIds, MOST_ACTS);
  const sendState = (send?.state ?? null) as PayoutSendState | null;
  return {
    id,
    kind,
    operation,
    external_id: row.externalId,
    player_ref: row.playerRef,
    provider: row.provider,
    contract: row.contract,
    status: row.status,
    version: row.version,
    is_closed: isClosed(payment),
    amount: moneyOf(row.amountMinor, row.currency),
    ...ownPart(payment, send?.reference ?? null),
    in_suspense: left === null ? null : { amount: left, currency: row.currency },
    reasons: reasonsOf(sealer, payment, decisions),
    failure_code: row.failureCode,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    paid_at: row.paidAt,
    send_claimed_at: sendState !== null && mayHaveLeft(sendState) ? (send?.claimedAt ?? null) : null,
    traceless:
      send === null || !mayHaveLeft(send.state as PayoutSendState)
        ? null
        : { look_ups: send.tracelessLookUps, since: send.tracelessSince, last_at: send.tracelessLastAt },
    timeline,
    exchanges: exchanges.toReversed().map(({ stepAt, startedAt, durationMs, call, method, path, status, fault }) => ({
      ...{ call, method, path, status, fault },
      step_at: stepAt,
      at: startedAt,
      duration_ms: durationMs,
    })),
    ledger,
    decisions: decisions.map((decision) => shownRuleDecision(decision, row.currency)),
    version_in_force: operation.rules_version,
    decided: decidedOn(payment),
    people: acts.map(shownAct),
    alerts,
    traces: traces.map((trace) => ({ id: trace, url: tracesUi?.replace(TRACE_PLACE, trace) ?? null })),
    acts: paymentPossibilities(viewer, payment, sendState),
  };
}

/** The provider's fees for all payments on the charge. */
function feeOf(fees: Readonly<Record<string, string>>, currency: string) {
  const amounts = Object.values(fees);
  return amounts.length === 0
    ? null
    : toMoney(
        amounts.reduce((sum, fee) => sum + BigInt(fee), 0n),
        currency,
      );
}

/** The fields that only one of the two kinds has. */
function ownPart({ kind, row }: PaymentRow, payoutReference: string | null) {
  if (kind === 'deposit')
    return {
      paid_amount: moneyOrNull(row.paidAmountMinor, row.currency),
      fee: feeOf(row.fees as Readonly<Record<string, string>>, row.currency),
      end_to_end_id: row.endToEndId,
      provider_reference: chargeReferenceOf(row.id),
      expires_at: row.expiresAt,
      write_offs: [],
    };
  return {
    paid_amount: null,
    fee: moneyOrNull(row.feeMinor, row.currency),
    end_to_end_id: row.pspReference,
    provider_reference: payoutReference ?? payoutReferenceOf(row.id),
    expires_at: null,
    write_offs: (row.writeOffs as unknown as readonly WriteOffAct[]).map(
      ({ person, decision, reason, evidence, at }) => ({ person, decision, reason, evidence, at }),
    ),
  };
}

async function readTimeline(database: Database, payment: PaymentRow['row']) {
  const events = await eventsOfObject(database, payment, MOST_ROWS);
  const deliveries = await deliveriesOf(database, events, MOST_ROWS);
  return events.map((event) => ({
    event_id: event.id,
    type: event.type,
    version: event.objectVersion,
    at: event.createdAt,
    deliveries: deliveries
      .filter(({ eventId }) => eventId === event.id)
      .map((delivery) => ({
        attempt: delivery.attempt,
        sent_at: delivery.sentAt,
        response_status: delivery.responseStatus,
        error: delivery.error,
        duration_ms: delivery.durationMs,
        next_attempt_at: delivery.nextAttemptAt,
      })),
  }));
}

/** The payment's transfers, each with its entries. */
async function readLedger(database: Database, payment: PaymentRow['row']) {
  const entries = await entriesOfPayment(database, payment, MOST_ROWS);
  const steps = [...new Set(entries.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const sides = entries.filter((entry) => entry.step === step);
    const [first] = sides;
    if (first === undefined) return [];
    const sum = sides.reduce((total, { amountMinor }) => total + toBigInt(amountMinor), 0n);
    return {
      step,
      movement: first.movement,
      currency: first.currency,
      at: first.createdAt,
      entries: sides.map(({ account, amountMinor }) => ({ account, amount_minor: toBigInt(amountMinor).toString() })),
      sums_to_zero: sum === 0n,
    };
  });
}
