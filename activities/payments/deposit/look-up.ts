// Looks a charge up at the provider and stores what follows: payments and reversals, in any order, repeated, late or
// too large. A payment of a pending deposit is assessed by the rules.
import { ApplicationFailure } from '@temporalio/activity';
import { NOT_AT_ONCE, type PaymentRef, type RulesMode } from '../../../contract/temporal/payment-steps.js';
import {
  type ChargeFindings,
  type Consequences,
  consequencesOf,
  type PaymentAnswer,
  type PaymentFinding,
  paymentToAssess,
} from '../../../domain/payments/charge-findings.js';
import { isSettling } from '../../../domain/payments/returns.js';
import { isPaymentVerdict } from '../../../domain/rules/verdicts.js';
import { MovementTakenError } from '../../../store/ledger/bank-movements.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { claimedTwice, raiseAbout } from '../../alerts.js';
import { isInconclusive } from '../../provider/charges.js';
import { askRules } from '../../rules.js';
import { untilStored } from '../retries.js';
import type { ChargeLookedUp } from '../types.js';
import { answerOf, type DepositDependencies, questionOf } from './ports.js';

const BRIEF_LOOK_UP_MS = 2_500;

/** The rules' answer about a payment, with the decision to store. */
interface Assessment {
  readonly answer: PaymentAnswer;
  readonly decision: DecisionRecord | null;
}
/** `null` if the rules cannot be called here: then nothing about the payment is stored. */
type Assess = (row: DepositRow, payment: PaymentFinding) => Promise<Assessment | null>;

const NOTHING_REPORTED: ChargeFindings = { status: 'not_found', payments: [] };
const SILENT: Assessment = { answer: { kind: 'silent' }, decision: null };

/** Fails with NOT_AT_ONCE, or with RULES_ELSEWHERE if a payment needs the rules and they are not served here. */
export async function lookUpChargeBriefly(dependencies: DepositDependencies, ref: PaymentRef): Promise<ChargeLookedUp> {
  const { brief, charges } = dependencies;
  const lookUp = async (row: DepositRow) => {
    const call = () => charges.lookUpCharge(questionOf(row, ref.at));
    const findings = await brief.lookUps.ask(row.order.provider, BRIEF_LOOK_UP_MS, call);
    if (findings === null) throw ApplicationFailure.nonRetryable('the provider did not answer at once', NOT_AT_ONCE);
    return findings;
  };
  return lookUpAndStore(dependencies, ref, lookUp, (row, payment) => ask(dependencies, ref.at, row, payment));
}

/** An inconclusive answer of the provider is a retryable failure. */
export async function lookUpCharge(
  dependencies: DepositDependencies,
  { rules, ...ref }: PaymentRef & { readonly rules: RulesMode },
): Promise<ChargeLookedUp> {
  const lookUp = (row: DepositRow) => dependencies.charges.lookUpCharge(questionOf(row, ref.at));
  const assess: Assess =
    rules === 'silent' ? async () => SILENT : (row, payment) => askHere(dependencies, ref.at, row, payment);
  return lookUpAndStore(dependencies, ref, lookUp, assess);
}

async function lookUpAndStore(
  dependencies: DepositDependencies,
  ref: PaymentRef,
  lookUp: (row: DepositRow) => Promise<ChargeFindings>,
  assess: Assess,
): Promise<ChargeLookedUp> {
  const { deposits } = dependencies;
  let row = await deposits.read(ref);
  // Without a stored charge there is nothing to look up.
  const { status } = row.record.snapshot;
  if (status === 'created') return { ...answerOf(row), outcome: 'looked_up' };
  const { returnRequest } = row.record;
  const conclusion = returnRequest === null ? null : await deposits.readConclusion(returnRequest.actId);
  let findings = await lookUp(row).catch((error: unknown) => {
    // A provider that does not answer holds up no return that people have concluded.
    if (conclusion === null || !isSettling(conclusion, ref.at) || !isInconclusive(error)) throw error;
    return NOTHING_REPORTED;
  });
  // The provider has answered, whatever it says: what it says is stored below.
  if (status === 'expired') await deposits.resolveAlerts(ref, 'EXPIRY_UNCONFIRMED');
  return untilStored(async () => {
    const payment = paymentToAssess(row.record, findings);
    const assessment = payment === null ? SILENT : await assess(row, payment);
    if (assessment === null) return { ...answerOf(row), outcome: 'needs_rules' };
    const consequences = consequencesOf(row.record, findings, assessment.answer, ref.at, conclusion);
    try {
      const stored = await storeAll(dependencies, ref, row, consequences, assessment.decision);
      if (stored !== null) return { ...answerOf(stored), outcome: 'looked_up' };
    } catch (error) {
      if (!(error instanceof MovementTakenError)) throw error;
      await raiseAbout(deposits, ref, claimedTwice(ref.id, error));
      findings = without(findings, error.bankId);
    }
    row = await deposits.read(ref);
    return null;
  });
}

/** The findings without a payment: it is another deposit's, whatever the provider answers about this charge. */
function without(findings: ChargeFindings, bankId: string): ChargeFindings {
  return { ...findings, payments: findings.payments.filter(({ endToEndId }) => endToEndId !== bankId) };
}

/**
 * Stores the changes one after another; the decision with the first, which follows from it. `null` if the row changed.
 */
async function storeAll(
  { deposits, charges }: DepositDependencies,
  ref: PaymentRef,
  row: DepositRow,
  { changes, alerts }: Consequences,
  decision: DecisionRecord | null,
): Promise<DepositRow | null> {
  let current = row;
  const contract = charges.contractOf(row.order);
  for (const [index, change] of changes.entries()) {
    const write = { change: { ...change, contract }, at: ref.at, decision: index === 0 ? decision : null };
    const stored = await deposits.store({ row: current, ...write });
    if (stored === null) return null;
    current = stored;
  }
  for (const alert of alerts) await raiseAbout(deposits, ref, alert);
  return current;
}

/** Throws if the rules do not answer here. */
async function ask(
  { rules }: DepositDependencies,
  at: string,
  { record: { snapshot }, order: { environment } }: DepositRow,
  payment: PaymentFinding,
): Promise<Assessment> {
  const { id, operationId, playerRef, amountMinor: chargedAmountMinor, expiresAt } = snapshot;
  const charge = { id, operationId, playerRef, environment, chargedAmountMinor, expiresAt, at };
  const { amountMinor: paidAmountMinor, paidAt, payerMatch, sealedPayer } = payment;
  const question = { ...charge, paidAmountMinor, paidAt, payerMatch, sealedPayer };
  const { verdict, record } = await askRules(rules, (engine) => engine.assessPayment(question));
  return isPaymentVerdict(verdict)
    ? { answer: { kind: 'verdict', verdict }, decision: record }
    : { answer: { kind: 'invalid' }, decision: null };
}

async function askHere(...question: Parameters<typeof ask>): Promise<Assessment | null> {
  try {
    return await ask(...question);
  } catch {
    // The process calls the rules on their queue, or continues without them.
    return null;
  }
}
