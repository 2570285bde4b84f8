// One screen for one case: everything that a person needs to judge a payment under review.
import type { Answering } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import { approvalsNeeded } from '../../../domain/payments/withdrawal.js';
import { toBigInt } from '../../../store/database.js';
import { readListsOf } from '../../../store/players/listed.js';
import { readOtherUses } from '../../../store/support/other-uses.js';
import { claimOf } from '../../../store/support/review-claims.js';
import { decisionsOf } from '../../../store/rules/decisions.js';
import { may, type Viewer } from '../../viewer.js';
import { readCaseWork } from './case-work.js';
import { MOST_DECISIONS, shownRuleDecision } from './decisions.js';
import { readPlayerHistory } from './history.js';
import { moneyOf, moneyOrNull } from './money.js';
import { decidedOn, operationOf, type PaymentReads, type PaymentRow, reasonsOf, visiblePayment } from './payment.js';
import { linkedPlayers } from './links.js';
import { comparedPayer, maskedFields, personsOf } from './people.js';
import { toldBy } from './told.js';
import { decisionPossibilities, possibility } from './possibilities.js';

export interface CaseReads extends PaymentReads {
  /** The longest time that a case should wait for its decision. */
  readonly decideWithinSeconds: number;
  /** An approval above this many minor units needs a reason; `null`: none does. */
  readonly reasonAboveMinor: bigint | null;
}

/** The case of a payment; `null` if there is none, or the viewer may not see it. */
export async function readCase(
  reads: CaseReads,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<Answering<'readCase'> | null> {
  const { database, sealer, decideWithinSeconds } = reads;
  const payment = await visiblePayment(database, viewer, id);
  if (payment === null) return null;
  const { kind, row } = payment;
  const [operation, decisions, history, uses, claim, linked, [lists = []], work] = await Promise.all([
    operationOf(database, row.operationId),
    decisionsOf(database, id, MOST_DECISIONS),
    readPlayerHistory(database, payment),
    otherUses(reads, payment),
    claimOf(database, id),
    linkedPlayers(database, row),
    readListsOf(database, [row]),
    readCaseWork(database, viewer, payment, now),
  ]);
  const { earlier_decisions, undone, ...player } = history;
  const persons = personsOf(sealer, payment);
  return {
    id,
    kind,
    operation,
    external_id: row.externalId,
    status: row.status,
    version: row.version,
    amount: moneyOf(row.amountMinor, row.currency),
    paid_amount: kind === 'deposit' ? moneyOrNull(row.paidAmountMinor, row.currency) : null,
    fee: kind === 'withdrawal' ? moneyOrNull(row.feeMinor, row.currency) : null,
    created_at: row.createdAt,
    since: row.reviewSince,
    decide_by: row.reviewSince === null ? null : later(row.reviewSince, decideWithinSeconds),
    claim,
    work,
    reasons: reasonsOf(sealer, payment, decisions),
    decisions: decisions.map((decision) => shownRuleDecision(decision, row.currency)),
    player: {
      ref: row.playerRef,
      fields: maskedFields(persons, 'player'),
      linked,
      lists: lists.map(({ list, kind: of, addedAt }) => ({ list, kind: of, added_at: addedAt })),
      ...player,
    },
    told: toldBy(persons, row.currency),
    payer: comparedPayer(persons, payment),
    destination:
      kind === 'withdrawal'
        ? { type: row.destinationType, fields: maskedFields(persons, 'destination'), holder: row.keyOwner }
        : null,
    other_uses: uses,
    earlier_decisions,
    approvals: approvalsOf(payment),
    decided: [...decidedOn(payment), ...undone].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    may_block: possibility(may(viewer, 'list.block', row.operationId) ? null : 'not_your_role'),
    reason_needed: needsReason(reads, payment),
    acts: decisionPossibilities(viewer, payment),
  };
}

/** Whether an approval of the payment needs a reason. A refusal and a return always do. */
export function needsReason({ reasonAboveMinor }: Pick<CaseReads, 'reasonAboveMinor'>, { row }: PaymentRow): boolean {
  return reasonAboveMinor !== null && toBigInt(row.amountMinor) > reasonAboveMinor;
}

/** The people who have approved, and how many different people must. */
export function approvalsOf(payment: PaymentRow) {
  const { kind, row } = payment;
  return {
    given: decidedOn(payment).filter(({ decision }) => decision === 'approve'),
    needed: kind === 'withdrawal' ? approvalsNeeded(row.decisionReasons) : 1,
  };
}

async function otherUses({ database }: PaymentReads, { kind, row }: PaymentRow) {
  const of = kind === 'deposit' ? ('payer' as const) : ('key' as const);
  const hash = kind === 'deposit' ? row.payerDocumentHash : row.destinationHash;
  if (hash === null) return { of, payments: 0, players: 0, latest: [] };
  const { operationId, id, playerRef } = row;
  const { payments, players, latest } = await readOtherUses(database, of, { operationId, id, playerRef, hash });
  return {
    of,
    payments,
    players,
    latest: latest.map((use) => ({
      id: use.id,
      player_ref: use.playerRef,
      status: use.status,
      amount: toMoney(use.amountMinor, use.currency),
      created_at: use.createdAt,
    })),
  };
}

/** The instant this many seconds later. */
export function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
