// Payouts at the payment provider: looking up the key's owner, the one send, and looking up an unknown outcome.
import type { TaxDocument } from '../../domain/documents.js';
import { payoutReferenceOf } from '../../domain/identifiers.js';
import type { PayoutFinding } from '../../domain/payout-findings.js';
import type { Payout, Provider, AccountName, ProviderRegistry } from '../../providers/port.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { openWithdrawalRequest } from '../../store/sealing/sealed-requests.js';
import type { StoredOrder } from '../../store/withdrawals/held.js';
import { AccountBalances } from './account-balances.js';
import { feeOf, inconclusive, utc } from './charges.js';
import type { KeyOwnerAnswer, PayoutCalls, SendResult } from './types.js';

export function createPayoutCalls(
  providers: ProviderRegistry,
  sealer: Sealer,
  balances = new AccountBalances(),
): PayoutCalls {
  const providerOf = (order: { readonly provider: string }): Provider => providers(order.provider as AccountName);
  return {
    contractOf: (order) => providerOf(order).contract,
    lookUpKeyOwner: ({ order }) => lookUpKeyOwner(providerOf(order), sealer, order),
    isCovered: ({ order }) => balances.cover(providerOf(order), BigInt(order.amountMinor)),
    preparePayout: ({ order, lookupEndToEndId }) => preparePayout(providerOf(order), sealer, order, lookupEndToEndId),
    lookUpPayout: ({ order }) => lookUpPayout(providerOf(order), order),
  };
}

async function lookUpKeyOwner(provider: Provider, sealer: Sealer, order: StoredOrder): Promise<KeyOwnerAnswer> {
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
  provider: Provider,
  sealer: Sealer,
  order: StoredOrder,
  lookupEndToEndId: string | null,
): (mayLeave: () => boolean) => Promise<SendResult> {
  const { player, amount, destination } = openWithdrawalRequest(sealer, order);
  const request = {
    reference: payoutReferenceOf(order.withdrawalId),
    // These are the sealed values. The permission is given only if the row has the same ones.
    amountMinor: BigInt(amount.amount),
    key: { type: destination.pix.key_type, value: destination.pix.key },
    beneficiaryDocument: player.document as TaxDocument,
    lookupEndToEndId,
    description: order.operationName,
  };
  return async (mayLeave) => {
    const outcome = await provider.sendPayout({ ...request, mayLeave });
    return outcome.kind === 'reply' ? { kind: 'reply', payout: payoutFinding(order, outcome.payout) } : outcome;
  };
}

async function lookUpPayout(provider: Provider, order: StoredOrder): ReturnType<PayoutCalls['lookUpPayout']> {
  const lookup = await provider.lookUpPayout({
    reference: payoutReferenceOf(order.withdrawalId),
    amountMinor: BigInt(order.amountMinor),
  });
  if (lookup.kind === 'unknown') throw inconclusive(lookup.reason);
  return lookup.kind === 'found' ? { kind: 'found', payout: payoutFinding(order, lookup.payout) } : lookup;
}

function payoutFinding(
  { amountMinor }: Pick<StoredOrder, 'amountMinor'>,
  { status, endToEndId, failureCode, paidAt, returned, feeMinor }: Payout,
): PayoutFinding {
  return {
    status,
    endToEndId,
    failureCode,
    paidAt: paidAt === null ? null : utc(paidAt),
    returned: returned?.amountMinor === BigInt(amountMinor),
    returnedAmountMinor: returned?.amountMinor.toString() ?? null,
    feeMinor: feeOf(feeMinor),
  };
}
