// Payouts at the payment provider: looking up the key's owner, the one send, and looking up an unknown outcome.
import type { StoredWithdrawalOrder } from '../../contract/temporal/payment.js';
import type { TaxDocument } from '../../domain/documents.js';
import { payoutReferenceOf } from '../../domain/identifiers.js';
import { parseAmountMinor } from '../../domain/money.js';
import type { PayoutFinding } from '../../domain/payments/payout-findings.js';
import { checkedMoment, type KnownSpan } from '../../domain/provider-clock.js';
import type { Payout, Provider, AccountName, ProviderRegistry } from '../../providers/port.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { openWithdrawalRequest } from '../../store/sealing/orders.js';
import { OperationClocks } from '../operation-clocks.js';
import { AccountBalances } from './account-balances.js';
import { feeOf, inconclusive } from './charges.js';
import { type AskedAbout, ProviderDoubts, type RaiseAlert } from './doubts.js';
import type { KeyOwnerAnswer, PayoutCalls } from './types.js';

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
