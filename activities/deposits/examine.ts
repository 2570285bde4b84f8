// Looks a charge up at the provider and stores what follows: payments and reversals, in any order, repeated, late or
// too large. A payment of a pending deposit is assessed by the rules.
import { ApplicationFailure } from '@temporalio/activity';
import { NOT_AT_ONCE, type PaymentRef, type RulesMode } from '../../contract/temporal/payment-steps.js';
import {
  type ChargeFindings,
  type Consequences,
  consequencesOf,
  type PaymentAnswer,
  type PaymentFinding,
  paymentToAssess,
} from '../../domain/charge-findings.js';
import type { AlertNote } from '../../domain/alerts.js';
import { isSettling } from '../../domain/return-conclusion.js';
import { isPaymentVerdict } from '../../domain/rules/verdicts.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { MovementTakenError } from '../../store/ledger/bank-movements.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import { isInconclusive } from '../provider/charges.js';
import { askRules } from '../rules/asking.js';
import { claimedTwice } from '../payments/claimed-twice.js';
import { untilStored } from '../payments/until-stored.js';
import { answerOf, contended, questionOf, readExisting } from './deciding.js';
import type { DepositStore, DepositDependencies } from './ports.js';
import type { DepositExamined } from './types.js';

const BRIEF_LOOK_UP_MS = 2_500;

/** The rules' answer about a payment, with the decision to store. */
interface Assessment {
  readonly answer: PaymentAnswer;
  readonly decision: DecisionRecord | null;
}
/** `null` if the rules cannot be called here: then nothing about the payment is stored. */
type Assess = (kept: KeptDeposit, payment: PaymentFinding) => Promise<Assessment | null>;

const NOTHING_REPORTED: ChargeFindings = { status: 'not_found', payments: [] };
const SILENT: Assessment = { answer: { kind: 'silent' }, decision: null };

/** Fails with NOT_AT_ONCE, or with RULES_ELSEWHERE if a payment needs the rules and they are not served here. */
export async function examineChargeBriefly(
  dependencies: DepositDependencies,
  ref: PaymentRef,
): Promise<DepositExamined> {
  const { brief, charges } = dependencies;
  const lookUp = async (kept: KeptDeposit) => {
    const call = () => charges.lookUpCharge(questionOf(kept, ref.at));
    const findings = await brief.lookUps.ask(kept.snapshot.provider, BRIEF_LOOK_UP_MS, call);
    if (findings === null) throw ApplicationFailure.nonRetryable('the provider did not answer at once', NOT_AT_ONCE);
    return findings;
  };
  return examine(dependencies, ref, lookUp, (kept, payment) => ask(dependencies, ref.at, kept, payment));
}

/** An inconclusive answer of the provider is a retryable failure. */
export async function examineCharge(
  dependencies: DepositDependencies,
  { rules, ...ref }: PaymentRef & { readonly rules: RulesMode },
): Promise<DepositExamined> {
  const lookUp = (kept: KeptDeposit) => dependencies.charges.lookUpCharge(questionOf(kept, ref.at));
  const assess: Assess =
    rules === 'silent' ? async () => SILENT : (kept, payment) => askHere(dependencies, ref.at, kept, payment);
  return examine(dependencies, ref, lookUp, assess);
}

async function examine(
  dependencies: DepositDependencies,
  ref: PaymentRef,
  lookUp: (kept: KeptDeposit) => Promise<ChargeFindings>,
  assess: Assess,
): Promise<DepositExamined> {
  const { deposits } = dependencies;
  let kept = await readExisting(deposits, ref);
  // Without a stored charge there is nothing to look up.
  if (kept.snapshot.status === 'created') return { ...answerOf(kept), outcome: 'examined' };
  const { returnRequest } = kept;
  const conclusion = returnRequest === null ? null : await deposits.readConclusion(returnRequest.actId);
  let findings = await lookUp(kept).catch((error: unknown) => {
    // A provider that does not answer holds up no return that people have concluded.
    if (conclusion === null || !isSettling(conclusion, ref.at) || !isInconclusive(error)) throw error;
    return NOTHING_REPORTED;
  });
  // The provider has answered, whatever it says: what it says is stored below.
  if (kept.snapshot.status === 'expired') await deposits.resolveAlerts(ref, 'EXPIRY_UNCONFIRMED');
  return untilStored(async () => {
    const payment = paymentToAssess(kept, findings);
    const assessment = payment === null ? SILENT : await assess(kept, payment);
    if (assessment === null) return { ...answerOf(kept), outcome: 'needs_rules' };
    const consequences = consequencesOf(kept, findings, assessment.answer, ref.at, conclusion);
    try {
      const stored = await storeAll(dependencies, ref, kept, consequences, assessment.decision);
      if (stored !== null) return { ...answerOf(stored), outcome: 'examined' };
    } catch (error) {
      if (!(error instanceof MovementTakenError)) throw error;
      await raise(deposits, ref, claimedTwice(ref.id, error));
      findings = without(findings, error.bankId);
    }
    kept = await readExisting(deposits, ref);
    return null;
  }, contended);
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
  kept: KeptDeposit,
  { changes, alerts }: Consequences,
  decision: DecisionRecord | null,
): Promise<KeptDeposit | null> {
  let current = kept;
  const contract = charges.contractOf(kept.snapshot);
  for (const [index, change] of changes.entries()) {
    const write = { change: { ...change, contract }, at: ref.at, decision: index === 0 ? decision : null };
    const stored = await deposits.store({ kept: current, ...write });
    if (stored === null) return null;
    current = stored;
  }
  for (const alert of alerts) await raise(deposits, ref, alert);
  return current;
}

function raise(deposits: DepositStore, { id: objectId, operationId, at }: PaymentRef, alert: AlertNote) {
  return deposits.raiseAlert({ ...alert, operationId, objectId, at });
}

/** Throws if the rules do not answer here. */
async function ask(
  { rules }: DepositDependencies,
  at: string,
  { snapshot, environment }: KeptDeposit,
  payment: PaymentFinding,
): Promise<Assessment> {
  const { id: depositId, operationId, playerRef, amountMinor: chargedAmountMinor, expiresAt } = snapshot;
  const charge = { depositId, operationId, playerRef, environment, chargedAmountMinor, expiresAt, at };
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
