// Payouts at the payment provider: looking up the key's owner, the one send, looking up an unknown outcome, and what
// each account can still send.
import type { StoredWithdrawalOrder } from '../../contract/temporal/payment.js';
import type { TaxDocument } from '../../domain/documents.js';
import { payoutReferenceOf } from '../../domain/identifiers.js';
import { parseAmountMinor } from '../../domain/money.js';
import type { PayoutFinding } from '../../domain/payments/payout-findings.js';
import { checkedMoment, type KnownSpan } from '../../domain/provider-clock.js';
import type { KeyOwnerFinding } from '../../domain/rules/verdicts.js';
import type { AccountName, Payout, PayoutRequest, Provider, ProviderRegistry } from '../../providers/port.js';
import { openWithdrawalRequest } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { OperationClocks } from '../operation-clocks.js';
import { type ByContract, feeOf, inconclusive, type Question } from './charges.js';
import { type AskedAbout, ProviderDoubts, type RaiseAlert } from './doubts.js';

export type SendResult =
  | { readonly kind: 'reply'; readonly payout: PayoutFinding }
  /** Conclusive: nothing left. A later try is still the first send. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** As conclusive: the account lacks the money. */
  | { readonly kind: 'no_funds' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface KeyOwnerAnswer {
  readonly finding: Exclude<KeyOwnerFinding, 'not_asked'>;
  readonly endToEndId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The code of a missing answer; `null` if there was one. */
  readonly reason: string | null;
}

/**
 * Calls about payouts. An inconclusive answer throws a retryable failure, unless the result type has a value for it.
 */
export interface PayoutCalls extends ByContract {
  /** Asks the key directory once. */
  lookUpKeyOwner(input: { order: StoredWithdrawalOrder }): Promise<KeyOwnerAnswer>;
  /** Whether the account covers it, as far as the provider reports. A missing answer does not prevent the send. */
  isCovered(input: { order: StoredWithdrawalOrder }): Promise<boolean>;
  /**
   * Opens what the send needs, and returns the function that sends once. Only the holder of the permission may call it.
   * `mayLeave` is asked when the connection is open, before the first byte leaves: `false` sends nothing.
   */
  preparePayout(
    input: Question<StoredWithdrawalOrder> & { lookupEndToEndId: string | null },
  ): (mayLeave: PayoutRequest['mayLeave']) => Promise<SendResult>;
  lookUpPayout(
    input: Question<StoredWithdrawalOrder>,
  ): Promise<{ kind: 'found'; payout: PayoutFinding } | { kind: 'not_found' }>;
}

export function createPayoutCalls(
  providers: ProviderRegistry,
  sealer: Sealer,
  raise: RaiseAlert,
  clocks = new OperationClocks('production'),
  balances = new AccountBalances(),
): PayoutCalls {
  const doubts = new ProviderDoubts(raise);
  const asking = ({ order, span }: { order: StoredWithdrawalOrder; span: KnownSpan }): Asking => ({
    provider: providerOf(order),
    doubts,
    order,
    span: { ...span, isOwnClock: clocks.has(order.operationId) },
    about: { provider: order.provider, id: order.id, operationId: order.operationId, at: span.at },
  });
  const providerOf = (order: { readonly provider: string }): Provider => providers(order.provider as AccountName);
  return {
    contractOf: (order) => providerOf(order).contract,
    lookUpKeyOwner: ({ order }) => lookUpKeyOwner(providerOf(order), sealer, order),
    isCovered: ({ order }) => balances.cover(providerOf(order), order.amountMinor),
    preparePayout: (input) => preparePayout(asking(input), sealer, input.lookupEndToEndId),
    lookUpPayout: (input) => lookUpPayout(asking(input)),
  };
}

/** One question to the provider, and what its answer is compared with. */
interface Asking {
  readonly provider: Provider;
  readonly doubts: ProviderDoubts;
  readonly order: StoredWithdrawalOrder;
  readonly span: KnownSpan;
  readonly about: AskedAbout;
}

async function lookUpKeyOwner(
  provider: Provider,
  sealer: Sealer,
  order: StoredWithdrawalOrder,
): Promise<KeyOwnerAnswer> {
  const { player, destination } = openWithdrawalRequest(sealer, order);
  const lookup = await provider.lookUpKeyOwner({
    operationId: order.operationId,
    key: { type: destination.pix.key_type, value: destination.pix.key },
    expected: player.document as TaxDocument,
  });
  return {
    finding: lookup.kind === 'match' && lookup.strength === 'masked' ? 'weak_match' : lookup.kind,
    endToEndId: lookup.kind === 'match' ? lookup.endToEndId : null,
    retryAfterSeconds: lookup.kind === 'unavailable' ? lookup.retryAfterSeconds : null,
    reason: lookup.kind === 'unavailable' ? lookup.reason : null,
  };
}

function preparePayout(
  asking: Asking,
  sealer: Sealer,
  lookupEndToEndId: string | null,
): ReturnType<PayoutCalls['preparePayout']> {
  const { provider, order, doubts, about } = asking;
  const { player, amount, destination } = openWithdrawalRequest(sealer, order);
  const request = {
    reference: payoutReferenceOf(order.id),
    // These are the sealed values. The permission is given only if the row has the same ones.
    amountMinor: parseAmountMinor(amount.amount),
    key: { type: destination.pix.key_type, value: destination.pix.key },
    beneficiaryDocument: player.document as TaxDocument,
    lookupEndToEndId,
    description: order.operationName,
  };
  return async (mayLeave) => {
    const outcome = await provider.sendPayout({ ...request, mayLeave });
    if (outcome.kind === 'reply') return { kind: 'reply', payout: await payoutFinding(asking, outcome.payout) };
    if (outcome.kind === 'no_funds') return outcome;
    if (outcome.kind === 'unknown') await doubts.ofAnswer(about, outcome);
    return { kind: outcome.kind, reason: outcome.reason };
  };
}

async function lookUpPayout(asking: Asking): ReturnType<PayoutCalls['lookUpPayout']> {
  const { provider, order, doubts, about } = asking;
  const lookup = await provider.lookUpPayout({
    reference: payoutReferenceOf(order.id),
    amountMinor: order.amountMinor,
  });
  if (lookup.kind === 'unknown') {
    await doubts.ofAnswer(about, lookup);
    throw inconclusive(lookup.reason, lookup.retryAfterSeconds);
  }
  return lookup.kind === 'found' ? { kind: 'found', payout: await payoutFinding(asking, lookup.payout) } : lookup;
}

async function payoutFinding(
  { span, doubts, about }: Asking,
  { status, endToEndId, failureCode, paidAt, returns, feeMinor }: Payout,
): Promise<PayoutFinding> {
  const paid = paidAt === null ? null : checkedMoment(paidAt, span);
  if (paid?.drifts === true && paidAt !== null) await doubts.ofClock(about, 'a payout', paidAt);
  return {
    status,
    endToEndId,
    failureCode,
    paidAt: paid?.at ?? null,
    returns: returns.map(({ reference, amountMinor, at }) => ({
      reference,
      amountMinor,
      at: checkedMoment(at, span).at,
    })),
    feeMinor: feeOf(feeMinor),
  };
}

/** Payouts come in bursts; one request serves a whole burst. */
const KEPT_MS = 5_000;

interface CachedBalance {
  readonly askedAtMs: number;
  /** `null` if the provider did not report it. */
  leftMinor: bigint | null;
}

/**
 * The amount that each provider account can still send. It is requested before a payout, cached for a few seconds, and
 * lowered by what this process has sent since. A process sees other processes' sends at its next request only. Until
 * then the provider refuses a payout that the account does not cover, as it would without this check.
 */
export class AccountBalances {
  readonly #kept = new Map<AccountName, CachedBalance>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * Whether the account covers the amount, which is then subtracted from the rest. `true` if the provider does not
   * report a balance.
   */
  async cover(provider: Pick<Provider, 'name' | 'readBalance'>, amountMinor: bigint): Promise<boolean> {
    const known = this.#kept.get(provider.name);
    if (known !== undefined && this.nowMs() - known.askedAtMs < KEPT_MS && take(known, amountMinor)) return true;
    // The cached balance is too low, but a payment may have arrived since.
    const askedAtMs = this.nowMs();
    const answer = await provider.readBalance();
    const fresh = { askedAtMs, leftMinor: answer.kind === 'balance' ? answer.availableMinor : null };
    this.#kept.set(provider.name, fresh);
    return take(fresh, amountMinor);
  }
}

function take(kept: CachedBalance, amountMinor: bigint): boolean {
  if (kept.leftMinor === null) return true;
  if (kept.leftMinor < amountMinor) return false;
  kept.leftMinor -= amountMinor;
  return true;
}
