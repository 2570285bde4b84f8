// What people decided on a player's payments, and which of it the provider undid.
import { toMoney } from '../../../domain/money.js';
import type { Database } from '../../../store/database.js';
import { type DecidedPayment, decidedPaymentsOf, undoneReturnsOf } from '../../../store/support/decided-payments.js';
import { shownDecision } from './payment.js';

const MOST_DECISIONS = 20;

interface ShownPlayer {
  readonly operationId: string;
  readonly playerRef: string;
  /** The payment on show; null on the player's own page. */
  readonly id: string | null;
}

interface Deposit {
  readonly id: string;
  readonly amount: { readonly amount: string; readonly currency: string };
}

/**
 * `here`: returns of the payment on show that came to nothing. `elsewhere`: every decision on the others, the newest
 * first. `deposits` are those that are looked through for such returns.
 */
export async function readDecisionsOfPlayer(database: Database, shown: ShownPlayer, deposits: readonly Deposit[]) {
  const returnable = deposits.map(({ id }) => id);
  const [decided, undone] = await Promise.all([
    decidedPaymentsOf(database, shown, MOST_DECISIONS),
    undoneReturnsOf(database, returnable, MOST_DECISIONS),
  ]);
  const others = undone.filter(({ subject }) => subject !== shown.id);
  return {
    here: undone.filter(({ subject }) => subject === shown.id).map(shownUndone),
    elsewhere: [...decided.flatMap(decisionsOn), ...others.flatMap((entry) => undoneOn(entry, deposits))]
      .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
      .slice(0, MOST_DECISIONS),
  };
}

function decisionsOn({ id, kind, amountMinor, currency, decidedBy }: DecidedPayment) {
  const amount = toMoney(amountMinor, currency);
  return decidedBy.map((decision) => ({ payment_id: id, kind, amount, ...shownDecision(decision) }));
}

type UndoneReturn = Awaited<ReturnType<typeof undoneReturnsOf>>[number];

interface UndoneDetail {
  readonly reason: string;
  readonly code?: string;
  /** Of the provider's refusal: whose decision it was. */
  readonly requested_by?: string;
}

/** What a person decided and the provider did not do, by its audit entry. */
function shownUndone({ action, person, at, detail }: UndoneReturn) {
  const { reason, code, requested_by: requestedBy } = JSON.parse(detail) as UndoneDetail;
  const decision = action === 'deposit.return_refused' ? ('return_refused' as const) : ('return_withdrawn' as const);
  return { person: requestedBy ?? person, decision, reason, code: code ?? null, at: at.toISOString() };
}

function undoneOn(entry: UndoneReturn, deposits: readonly Deposit[]) {
  const deposit = deposits.find(({ id }) => id === entry.subject);
  if (deposit === undefined) return [];
  return [{ payment_id: deposit.id, kind: 'deposit' as const, amount: deposit.amount, ...shownUndone(entry) }];
}
