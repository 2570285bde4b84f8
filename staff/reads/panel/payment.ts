// One payment of either kind, as the panel's pages share it: its row, its reasons, and who decided what.
import { isDepositClosed, type DepositStatus, type ReviewDecision } from '../../../domain/payments/deposit.js';
import type { ReturnRequest } from '../../../domain/payments/deposit-record.js';
import { isWithdrawalClosed, type WithdrawalStatus } from '../../../domain/payments/withdrawal.js';
import type { Decision } from '../../../prisma/generated/client.js';
import type { StoredReport } from '../../../domain/rules/rule.js';
import { displayedOperatorReasons } from '../../../domain/rules/operator-reasons.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import type { Database } from '../../../store/database.js';
import { operationById } from '../../../store/operations/operations.js';
import { paymentById, type PaymentRow } from '../../../store/support/payment-rows.js';
import { currentRuleSet } from '../../../store/rules/rule-sets.js';
import { operatorReasonsOf } from '../../../store/sealing/orders.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import { sees, type Viewer } from '../../viewer.js';

export type { PaymentRow };

export interface PaymentReads {
  readonly database: Database;
  readonly sealer: Sealer;
}

/** The payment; `null` if there is none, or its operation is not within the viewer's reach. */
export async function visiblePayment(database: Database, viewer: Viewer, id: string): Promise<PaymentRow | null> {
  const payment = await paymentById(database, id);
  return payment !== null && sees(viewer, payment.row.operationId) ? payment : null;
}

/** The name of the payment's operation, and the time zone and version of its rules. */
export async function operationOf(database: Database, operationId: string) {
  const [operation, ruleSet] = await Promise.all([
    operationById(database, operationId),
    currentRuleSet(database, operationId),
  ]);
  const { timezone } = ruleSet?.rules ?? defaultRuleSet(1);
  return {
    id: operationId,
    name: operation?.name ?? operationId,
    time_zone: timezone,
    rules_version: ruleSet?.version ?? 1,
  };
}

export function isClosed({ kind, row }: PaymentRow): boolean {
  return kind === 'deposit'
    ? isDepositClosed(row.status as DepositStatus)
    : isWithdrawalClosed(row.status as WithdrawalStatus);
}

/** The rules' codes. */
function codesOf({ kind, row }: PaymentRow): readonly string[] {
  return kind === 'deposit' ? row.reviewReasons : row.decisionReasons;
}

/** Why it waits, or waited: the rules' codes with the numbers of their latest hit, then the operator's own words. */
export function reasonsOf(sealer: Sealer, payment: PaymentRow, decisions: readonly Decision[]) {
  const hits = new Map(
    decisions
      .flatMap(({ verdicts }) => verdicts as unknown as StoredReport[])
      .filter(({ result }) => result === 'hit')
      .map(({ code, compared }) => [code, compared]),
  );
  const rules = codesOf(payment).map((code) => ({
    from: 'rules' as const,
    code,
    compared: hits.get(code) ?? null,
  }));
  return [...rules, ...operatorsReasons(sealer, payment)];
}

function operatorsReasons(sealer: Sealer, { kind, row }: PaymentRow) {
  if (kind === 'deposit') return [];
  const { id, operationId, requestSealed: sealedRequest } = row;
  return ownReasons(operatorReasonsOf(sealer, { id, operationId, sealedRequest }));
}

/** The displayed texts of an operator's own reasons, each with its prefix `OP:`. */
export function ownReasons(texts: readonly string[]) {
  return displayedOperatorReasons(texts).map((text) => ({ from: 'operator' as const, text }));
}

/** The decisions of people, in order; a return that is under way is the last. */
export function decidedOn({ kind, row }: PaymentRow) {
  const decided = (row.decidedBy as unknown as readonly ReviewDecision[]).map(shownDecision);
  if (kind === 'withdrawal' || row.returnRequest === null) return decided;
  const { person, reason, at } = row.returnRequest as unknown as ReturnRequest;
  return [...decided, { person, decision: 'return_requested' as const, reason, at }];
}

export function shownDecision({ person, decision, reason, at }: ReviewDecision) {
  return { person, decision, reason, at };
}
