// What is known of a player apart from the current payment: sums, latest payments, and people's decisions on them.
import { toMoney } from '../../../domain/money.js';
import { type Database, toBigInt } from '../../../store/database.js';
import { readPlayerOf } from '../../../store/support/player-history.js';
import { moneyOf } from './money.js';
import type { PaymentRow } from './payment.js';
import { readDecisionsOfPlayer } from './player-decisions.js';

const MOST_PAYMENTS = 20;

/** The player's part of a case. */
export async function readPlayerHistory(database: Database, { kind: ofKind, row }: PaymentRow) {
  const { currency } = row;
  const { known, sums, deposits, withdrawals } = await readPlayerOf(database, row, MOST_PAYMENTS);
  const { here, elsewhere } = await readDecisionsOfPlayer(
    database,
    row,
    [...(ofKind === 'deposit' ? [row] : []), ...deposits].map(({ id, amountMinor }) => ({
      id,
      amount: moneyOf(amountMinor, currency),
    })),
  );
  const payments = [
    ...deposits.map((one) => ({ kind: 'deposit' as const, reasons: one.reviewReasons, ...one })),
    ...withdrawals.map((one) => ({ kind: 'withdrawal' as const, reasons: one.decisionReasons, ...one })),
  ].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const sumsOf = (kind: 'deposit' | 'withdrawal') => {
    const sum = sums.find((one) => one.kind === kind);
    return {
      settled: toMoney(sum === undefined ? 0n : toBigInt(sum.settledMinor), currency),
      settled_count: sum?.settledCount ?? 0,
      counted: toMoney(sum === undefined ? 0n : toBigInt(sum.countedMinor), currency),
    };
  };
  return {
    known_since: known?.createdAt ?? null,
    deposits: sumsOf('deposit'),
    withdrawals: sumsOf('withdrawal'),
    payments: payments.slice(0, MOST_PAYMENTS).map(shownPayment),
    earlier_decisions: elsewhere,
    undone: here,
  };
}

interface EarlierPayment {
  readonly id: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly status: string;
  readonly amountMinor: PaymentRow['row']['amountMinor'];
  readonly currency: string;
  readonly reasons: string[];
  readonly createdAt: Date;
}

function shownPayment({ id, kind, status, amountMinor, currency, reasons, createdAt }: EarlierPayment) {
  return { id, kind, status, amount: moneyOf(amountMinor, currency), reasons, created_at: createdAt };
}
