// The payment provider, scriptable per payment. It keeps its own truth (charges paid, payouts accepted) apart from what
// it answers, and counts how often money was sent.
import { asyncLocalStorage } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ChargeCalls } from '../../../activities/provider/charges.js';
import type { PaymentFinding } from '../../../domain/payments/charge-findings.js';
import type { ChargeResult, ReturnResult } from '../../../domain/payments/deposit-acts.js';
import type { PayoutFinding } from '../../../domain/payments/payout-findings.js';
import type { KeyOwnerFinding } from '../../../domain/rules/verdicts.js';
import type { FakeDatabase } from './database.js';
import { Gate } from './gate.js';
import type { PayoutCalls, SendResult } from '../../../activities/provider/payouts.js';

const CONTRACT = 'fake 1';
const THE_WHOLE = -1n;

function inconclusive(): ApplicationFailure {
  return ApplicationFailure.retryable("the provider's answer is not conclusive", 'ProviderInconclusive', 'http_500');
}

/** One charge at the provider. */
export class FakeCharge {
  /** While true no call about this charge is answered. */
  isSilent = false;
  /** Holds look-ups back until it is opened. */
  readonly lookupGate = new Gate();
  /** What the next attempts to create it answer, in order; then it is created. */
  readonly creationAnswers: (ChargeResult | 'unknown')[] = [];
  /** The provider's own term; null follows the request. */
  expiresAt: string | null = null;
  /** What the next returns answer, in order; then they are done. */
  readonly returnAnswers: (ReturnResult | 'unknown')[] = [];
  payments: PaymentFinding[] = [];
  creationAttempts = 0;
  lookups = 0;
  returns = 0;
  /** The provider's id of each of these requests. */
  readonly returnReferences: string[] = [];
}

export type SendAnswer =
  | Exclude<SendResult, { kind: 'reply' | 'unknown' }>
  /** Accepted, and says so. */
  | 'replies'
  /** Accepted and settled (or failed) at once, and says so. */
  | 'replies_paid'
  | 'replies_failed'
  /** Accepted, but the answer is lost on the way. */
  | 'times_out_accepted'
  /** Never arrived, and nobody knows. */
  | 'times_out_lost';

/** One payout at the provider. */
export class FakePayout {
  isSilent = false;
  readonly sendGate = new Gate();
  readonly keyOwnerGate = new Gate();
  /** Holds look-ups back until it is opened. */
  readonly lookupGate = new Gate();
  /**
   * What the next look-ups of the key's holder find, in order; then `keyOwner`. `no_answer`: the directory's call
   * fails.
   */
  readonly keyOwnerAnswers: (Exclude<KeyOwnerFinding, 'not_asked'> | 'no_answer')[] = [];
  keyOwner: Exclude<KeyOwnerFinding, 'not_asked'> | 'no_answer' = 'match';
  isSettledAtOnce = false;
  /** Whether the account covers it. */
  isCovered = true;
  /** What the next sends do, in order; then `replies` (`replies_paid` where everything is settled at once). */
  readonly sendAnswers: SendAnswer[] = [];
  /** What the provider holds; null until a send arrived. */
  state: PayoutFinding | null = null;
  keyOwnerLookups = 0;
  /** Sends that left, or may have. */
  sendsThatLeft = 0;
  /** The look-up's reference that the send carried. */
  sentWithEndToEndId: string | null = null;
  lookups = 0;
  /** When each look-up was tried. */
  readonly lookupTimesMs: number[] = [];

  settle(paidAt: string): void {
    this.state = { ...this.held(), status: 'paid', paidAt };
  }

  fail(failureCode: string | null): void {
    this.state = { ...this.held(), status: 'failed', failureCode };
  }

  /** It is taken in after all, long after the send. */
  arriveLate(): void {
    this.state = acceptedPayout();
  }

  /** All of it, or a part. */
  giveBack(amountMinor = THE_WHOLE): void {
    const held = this.held();
    const reference = `D${held.returns.length + 1}`;
    this.state = { ...held, returns: [...held.returns, { reference, amountMinor, at: '2026-01-01T00:00:00.000Z' }] };
  }

  private held(): PayoutFinding {
    return this.state ?? acceptedPayout();
  }
}

/** A payout that the provider has taken in. */
function acceptedPayout(): PayoutFinding {
  return {
    status: 'processing',
    endToEndId: 'E9999901012026010112000000000payout'.slice(0, 32),
    failureCode: null,
    paidAt: null,
    returns: [],
    feeMinor: null,
  };
}

export class FakeProvider {
  private readonly charges = new Map<string, FakeCharge>();
  private readonly payouts = new Map<string, FakePayout>();

  constructor(private readonly database: FakeDatabase) {}

  charge(depositId: string): FakeCharge {
    return obtain(this.charges, depositId, () => new FakeCharge());
  }

  payout(withdrawalId: string): FakePayout {
    return obtain(this.payouts, withdrawalId, () => new FakePayout());
  }

  /** Answers again, and settles what it has taken in. */
  heal(): void {
    for (const charge of this.charges.values()) {
      charge.isSilent = false;
      charge.lookupGate.open();
      charge.returnAnswers.splice(0);
    }
    for (const payout of this.payouts.values()) {
      payout.isSilent = false;
      payout.isSettledAtOnce = true;
      payout.sendAnswers.splice(0);
      if (payout.sendsThatLeft > 0) payout.settle('2026-01-01T00:00:00.000Z');
      payout.sendGate.open();
      payout.keyOwnerGate.open();
      payout.lookupGate.open();
    }
  }

  readonly chargeCalls: ChargeCalls = {
    contractOf: () => CONTRACT,
    createCharge: async ({ order }) => {
      const charge = this.charge(order.id);
      charge.creationAttempts += 1;
      const answer = charge.isSilent ? 'unknown' : charge.creationAnswers.shift();
      if (answer === 'unknown') throw inconclusive();
      if (answer !== undefined) return answer;
      const expiresAt = charge.expiresAt ?? this.database.deposit(order.id)?.expiresAt ?? '';
      return {
        kind: 'created',
        instructions: { copyPaste: '00020101-test', qrCodePngBase64: null, expiresAt },
        expiresAt,
      };
    },
    lookUpCharge: async ({ order }) => {
      const charge = this.charge(order.id);
      charge.lookups += 1;
      await charge.lookupGate.passed();
      if (charge.isSilent) throw inconclusive();
      const status = charge.payments.length > 0 ? 'paid' : 'open';
      return { status, payments: charge.payments };
    },
    returnPayment: async ({ order, reference, amountMinor }) => {
      const charge = this.charge(order.id);
      charge.returns += 1;
      charge.returnReferences.push(reference);
      const done = { kind: 'done', amountMinor, at: '2026-01-01T00:00:00.000Z' } as const;
      const answer = charge.isSilent ? 'unknown' : (charge.returnAnswers.shift() ?? done);
      if (answer === 'unknown') throw inconclusive();
      return answer;
    },
  };

  readonly payoutCalls: PayoutCalls = {
    contractOf: () => CONTRACT,
    lookUpKeyOwner: async ({ order }) => {
      const payout = this.payout(order.id);
      payout.keyOwnerLookups += 1;
      await payout.keyOwnerGate.passed();
      const finding = payout.keyOwnerAnswers.shift() ?? payout.keyOwner;
      if (finding === 'no_answer') throw inconclusive();
      const reason = finding === 'unavailable' ? 'http_503' : null;
      return { finding, endToEndId: finding === 'match' ? 'E-lookup' : null, retryAfterSeconds: null, reason };
    },
    isCovered: async ({ order }) => this.payout(order.id).isCovered,
    preparePayout:
      ({ order, lookupEndToEndId }) =>
      async (mayLeave) => {
        const payout = this.payout(order.id);
        await payout.sendGate.passed();
        if (!(await mayLeave())) return { kind: 'not_sent', reason: 'too_late' };
        payout.sentWithEndToEndId = lookupEndToEndId;
        return send(payout, payout.sendAnswers.shift() ?? (payout.isSettledAtOnce ? 'replies_paid' : 'replies'));
      },
    lookUpPayout: async ({ order }) => {
      const payout = this.payout(order.id);
      payout.lookups += 1;
      payout.lookupTimesMs.push(asyncLocalStorage.getStore()?.info.currentAttemptScheduledTimestampMs ?? Date.now());
      await payout.lookupGate.passed();
      if (payout.isSilent) throw inconclusive();
      if (payout.state === null) return { kind: 'not_found' };
      const returns = payout.state.returns.map((part) =>
        part.amountMinor === THE_WHOLE ? { ...part, amountMinor: order.amountMinor } : part,
      );
      return { kind: 'found', payout: { ...payout.state, returns } };
    },
  };
}

function send(payout: FakePayout, answer: SendAnswer): SendResult {
  if (typeof answer === 'object') return answer;
  payout.sendsThatLeft += 1;
  if (answer === 'times_out_lost') return { kind: 'unknown', reason: 'timeout' };
  payout.state = sentPayout(answer);
  if (answer === 'times_out_accepted') return { kind: 'unknown', reason: 'timeout' };
  return { kind: 'reply', payout: payout.state };
}

function sentPayout(answer: SendAnswer): PayoutFinding {
  if (answer === 'replies_paid') return { ...acceptedPayout(), status: 'paid' };
  if (answer === 'replies_failed') return { ...acceptedPayout(), status: 'failed', failureCode: 'AC03' };
  return acceptedPayout();
}

function obtain<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
