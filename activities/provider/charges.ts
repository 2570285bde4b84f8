// Charges at the payment provider: creating one, looking one up, and returning a payment to its payer.
import { ApplicationFailure } from '@temporalio/activity';
import { compareReportedDocument, type TaxDocument } from '../../domain/documents.js';
import type { DepositPayer } from '../../domain/deposit.js';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import type { ChargeLookup, Provider, AccountName, ProviderRegistry, ReceivedPix } from '../../providers/port.js';
import { placeOf } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { openDepositRequest } from '../../store/sealing/sealed-requests.js';
import type { StoredDepositOrder } from '../../contract/temporal/deposit.js';
import type { ChargeFindings, PaymentFinding } from '../../domain/charge-findings.js';
import type { ChargeResult, ReturnResult } from '../../domain/deposit-acts.js';
import type { ChargeCalls } from './types.js';

/**
 * The failure of an inconclusive answer: Temporal retries with the same reference. `reason` is a code that the
 * payment's page shows.
 */
export function inconclusive(reason: string): ApplicationFailure {
  const message = `the provider's answer is not conclusive: ${reason}`;
  return ApplicationFailure.retryable(message, 'ProviderInconclusive', reason);
}

/** An instant as RFC 3339 in UTC; the provider may use any offset. */
export function utc(instant: string): string {
  return new Date(instant).toISOString();
}

/** A fee of zero counts as no fee. */
export function feeOf(feeMinor: bigint | null): string | null {
  return feeMinor === null || feeMinor === 0n ? null : feeMinor.toString();
}

export function createChargeCalls(providers: ProviderRegistry, sealer: Sealer): ChargeCalls {
  const providerOf = (order: { provider: string }): Provider => providers(order.provider as AccountName);
  return {
    contractOf: (order) => providerOf(order).contract,
    createCharge: oneCallPerCharge(({ order }) => createCharge(providerOf(order), sealer, order)),
    lookUpCharge: ({ order }) => lookUpCharge(providerOf(order), sealer, order),
    returnPayment: (input) => returnPayment(providerOf(input.order), input),
  };
}

/** A step that requests a charge while another step waits for it gets the same answer. */
function oneCallPerCharge(call: ChargeCalls['createCharge']): ChargeCalls['createCharge'] {
  const underWay = new Map<string, Promise<ChargeResult>>();
  return (input) => {
    const { depositId } = input.order;
    const answer = underWay.get(depositId) ?? call(input).finally(() => underWay.delete(depositId));
    underWay.set(depositId, answer);
    return answer;
  };
}

/** Creates the charge under a reference derived from the deposit, so that a repeat never makes a second one. */
async function createCharge(provider: Provider, sealer: Sealer, order: StoredDepositOrder): Promise<ChargeResult> {
  const { player, amount } = openDepositRequest(sealer, order);
  const outcome = await provider.createCharge({
    reference: chargeReferenceOf(order.depositId),
    // These are the sealed values. The permission is given only if the row has the same ones.
    amountMinor: BigInt(amount.amount),
    expiresInSeconds: order.expiresInSeconds,
    payer: { document: player.document as TaxDocument, name: player.name ?? null, email: player.email ?? null },
    description: order.operationName,
  });
  if (outcome.kind === 'unknown') throw inconclusive(outcome.reason);
  if (outcome.kind === 'refused') return { kind: 'refused', failureCode: outcome.code };
  const { charge } = outcome;
  // The environment guard: outside production a PIX that can be paid with real money must never reach a player, and in
  // production none that cannot.
  if (order.environment === 'production' ? charge.isOfTestHost : !charge.sandboxMarker)
    return { kind: 'refused', failureCode: 'environment_guard' };
  return {
    kind: 'created',
    instructions: {
      copyPaste: charge.copyPaste,
      qrCodePngBase64: charge.qrCodePngBase64,
      expiresAt: utc(charge.expiresAt),
    },
    expiresAt: utc(charge.expiresAt),
  };
}

async function lookUpCharge(provider: Provider, sealer: Sealer, order: StoredDepositOrder): Promise<ChargeFindings> {
  const { player } = openDepositRequest(sealer, order);
  const expected = player.document as TaxDocument;
  const lookup: ChargeLookup = await provider.lookUpCharge(chargeReferenceOf(order.depositId), expected);
  if (lookup.kind === 'unknown') throw inconclusive(lookup.reason);
  if (lookup.kind === 'not_found') return { status: 'not_found', payments: [] };
  return {
    status: lookup.status,
    payments: lookup.payments.map((payment) => paymentFinding(sealer, order, player.document.number, payment)),
  };
}

function paymentFinding(
  sealer: Sealer,
  { depositId: id, operationId }: StoredDepositOrder,
  playerDocument: string,
  payment: ReceivedPix,
): PaymentFinding {
  const payerMatch = matchPayer(playerDocument, payment);
  const document = payment.payer?.document ?? null;
  const payer: DepositPayer = {
    document: document === null ? null : { type: document.type, number: document.number, country: 'BR' },
    name: payment.payer?.name ?? null,
    matchesPlayer: payerMatch === 'match',
  };
  return {
    endToEndId: payment.endToEndId,
    amountMinor: payment.amountMinor.toString(),
    paidAt: utc(payment.paidAt),
    payerMatch,
    feeMinor: feeOf(payment.feeMinor),
    sealedPayer: sealer.sealJson(placeOf('deposit.payer_sealed', operationId, { id }), payer),
    reversals: payment.reversals.map(({ kind, amountMinor, reference, status, at }) => ({
      kind,
      amountMinor: amountMinor.toString(),
      reference,
      state: status,
      at: utc(at),
    })),
  };
}

/** Only a full match identifies the payer as the player: a match under a mask is too weak to credit money. */
function matchPayer(playerDocument: string, { payer }: ReceivedPix): PaymentFinding['payerMatch'] {
  if (!payer?.document) return 'unknown';
  const compared = compareReportedDocument(playerDocument, payer.document.number);
  return compared === 'match' || compared === 'mismatch' ? compared : 'unknown';
}

/** Returns a payment to its payer under one reference, so that a repeat finds the same return. */
async function returnPayment(
  provider: Provider,
  input: { order: StoredDepositOrder; endToEndId: string; amountMinor: string },
): Promise<ReturnResult> {
  const outcome = await provider.requestReversal({
    endToEndId: input.endToEndId,
    reference: chargeReferenceOf(input.order.depositId),
    amountMinor: BigInt(input.amountMinor),
  });
  if (outcome.kind === 'unknown') throw inconclusive(outcome.reason);
  if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code };
  if (outcome.reversal.status === 'refused') return { kind: 'refused', code: 'return_not_performed' };
  return { kind: outcome.reversal.status };
}
