// Returns of received payments: requested by end-to-end id, listed by charge.
import { isReturnReference } from '../../domain/identifiers.js';
import { dateOf, type HttpAnswer, inconclusive } from '../common/http.js';
import { isWireAmount } from '../pix-api/wire.js';
import type { Reversal, ReversalOutcome } from '../port.js';
import { unknown, unusable } from '../common/answers.js';
import { left, reasonOf, unclear, unread, type WooviContext } from './client.js';
import { isNotFound, refusalOf } from './errors.js';
import {
  KNOWN,
  chargeRefundsAnswer,
  disputeAnswer,
  refundAnswer,
  type WireRefund,
  type WireRefundAlone,
} from './wire.js';
import { disputeStatusOf, refundStateOf } from './status.js';

/**
 * Returns a payment, once: the document calls `correlationID` something "to keep track of this refund" and promises
 * nothing about a repeat, so `GET /refund/{id}` is called first. No documented refusal proves that nothing moved, so
 * only a return's own state shows that it was refused.
 */
export async function requestReversal(
  context: WooviContext,
  request: { endToEndId: string; reference: string; amountMinor: bigint },
): Promise<ReversalOutcome> {
  if (!isWireAmount(request.amountMinor)) return { kind: 'refused', code: 'amount_not_supported' };
  const remaining = left(context.callTimeoutMs);
  const before = await getRefund(context, request.reference, remaining());
  if (before !== 'not_found')
    return typeof before === 'string' ? unclear(before) : accepted(context, request.reference, before);
  const answer = await context.client.call({
    method: 'POST',
    path: '/refund',
    body: {
      transactionEndToEndId: request.endToEndId,
      correlationID: request.reference,
      value: Number(request.amountMinor),
    },
    timeoutMs: remaining(),
  });
  const asked = readRefund(context, answer);
  if (asked !== null) return accepted(context, request.reference, asked);
  if (refusalOf(answer) === null) return unread(refundAnswer, answer);
  // Refused, or requested a moment ago: the return itself shows which.
  const known = await getRefund(context, request.reference, remaining());
  if (known === 'not_found') return unknown(inconclusive(answer));
  return typeof known === 'string' ? unclear(known) : accepted(context, request.reference, known);
}

/** A return alone, and when it was reported. */
interface DatedRefund extends WireRefundAlone {
  readonly answeredAt: string;
}

function readRefund({ client }: WooviContext, answer: HttpAnswer): DatedRefund | null {
  const read = client.read(refundAnswer, KNOWN.refund, answer);
  if (read === null || answer.kind !== 'answered') return null;
  return { ...read, answeredAt: dateOf(answer) ?? new Date().toISOString() };
}

/** One without a state was requested, and no more is known: the charge's list shows its outcome. */
function accepted(context: WooviContext, reference: string, refund: DatedRefund): ReversalOutcome {
  if (refund.correlationID !== reference) return unusable('answer_of_another_return', 'refund.correlationID');
  const wire = { ...refund, status: refund.status ?? 'CREATED', time: refund.time ?? refund.answeredAt };
  const reversal = readReversal(context, wire, 'refund');
  return reversal === null ? unusable('unknown_return_state', 'refund.status') : { kind: 'accepted', reversal };
}

/** `GET /refund/{id}`: the return, `not_found`, or the reason code of an inconclusive answer. */
async function getRefund(context: WooviContext, reference: string, timeoutMs: number): Promise<DatedRefund | string> {
  const path = `/refund/${encodeURIComponent(reference)}`;
  const answer = await context.client.call({ method: 'GET', path, timeoutMs });
  if (isNotFound('refund', answer)) return 'not_found';
  return readRefund(context, answer) ?? reasonOf(answer);
}

/** A lost dispute's return may be listed before the dispute is said to be lost. */
const DISPUTE_SETTLES_WITHIN_MS = 3_600_000;

/**
 * All returns of a charge's payments, or the reason code of an inconclusive answer. One that the gateway did not
 * request is a chargeback if its payment's dispute was lost; it was made in Woovi's panel if there is no dispute, or
 * one that was won, or is still open long afterwards.
 */
export async function reversalsOf(
  context: WooviContext,
  {
    reference,
    credits,
    timeoutMs,
  }: {
    reference: string;
    credits: readonly { endToEndId: string; amountMinor: bigint; wasSentBack: boolean }[];
    timeoutMs: number;
  },
): Promise<readonly Reversal[] | string> {
  const remaining = left(timeoutMs);
  const wires = await listRefunds(context, { reference, credits, remaining });
  if (typeof wires === 'string') return wires;
  // Parts are added up, so each must count once.
  if (new Set(wires.map(({ correlationID }) => correlationID)).size !== wires.length) return 'duplicate_return';
  const isOurs = ({ correlationID }: WireRefund) => isReturnReference(reference, correlationID);
  const isForeign = !wires.every(isOurs);
  // With several payments it is the one that was sent back, or the one of this sum (charges.ts).
  const sum = wires.reduce((total, { value }) => total + value, 0n);
  const disputed =
    credits.find(({ wasSentBack }) => wasSentBack) ?? credits.find((one) => one.amountMinor === sum) ?? credits[0]!;
  const stated = isForeign ? await natureOf(context, disputed.endToEndId, remaining()) : 'refund';
  const isOld = ({ time }: WireRefund) => Date.parse(time) < context.now() - DISPUTE_SETTLES_WITHIN_MS;
  // An open dispute has sent nothing back: what went back long ago, went back without it.
  const nature = stated === 'dispute_open' && wires.every((wire) => isOurs(wire) || isOld(wire)) ? 'refund' : stated;
  if (nature !== 'refund' && nature !== 'chargeback') return nature;
  const reversals = wires.map((wire) => readReversal(context, wire, isOurs(wire) ? 'refund' : nature));
  return reversals.every((reversal) => reversal !== null) ? reversals : 'unknown_return_state';
}

async function listRefunds(
  context: WooviContext,
  order: {
    reference: string;
    credits: readonly { wasSentBack: boolean }[];
    remaining: () => number;
  },
): Promise<readonly WireRefund[] | string> {
  const answer = await context.client.call({
    method: 'GET',
    path: `/charge/${encodeURIComponent(order.reference)}/refund`,
    timeoutMs: order.remaining(),
  });
  const listed = context.client.read(chargeRefundsAnswer, KNOWN.chargeRefunds, answer);
  if (listed === null) return reasonOf(answer);
  const isExplained = listed.refunds.some(({ status }) => refundStateOf(status) !== 'refused');
  if (isExplained || !order.credits.some(({ wasSentBack }) => wasSentBack)) return listed.refunds;
  // The payment is reported as sent back and no return explains it: ours is known by its reference, any other is not.
  const ours = await getRefund(context, order.reference, order.remaining());
  if (typeof ours === 'string') return 'return_not_listed';
  const { status, time } = ours;
  return status === null || time === null ? 'return_not_listed' : [{ ...ours, status, time }];
}

/** `GET /dispute/{endToEndId}`. */
async function natureOf(context: WooviContext, endToEndId: string, timeoutMs: number): Promise<string> {
  const answer = await context.client.call({ method: 'GET', path: `/dispute/${endToEndId}`, timeoutMs });
  if (isNotFound('dispute', answer)) return 'refund';
  const read = context.client.read(disputeAnswer, KNOWN.dispute, answer);
  if (read === null) return reasonOf(answer);
  if (read.dispute.endToEndId !== endToEndId) return 'answer_of_another_dispute';
  switch (disputeStatusOf(read.dispute.status)) {
    case 'accepted':
      return 'chargeback';
    case 'rejected':
    case 'canceled':
      return 'refund';
    case 'open':
      return 'dispute_open';
    case 'unknown':
      context.client.noteDrift('unknown_state');
      return 'unknown_dispute_state';
  }
}

function readReversal(context: WooviContext, wire: WireRefund, kind: Reversal['kind']): Reversal | null {
  const status = refundStateOf(wire.status);
  if (status === 'unknown') {
    context.client.noteDrift('unknown_state');
    return null;
  }
  const returnId = [wire.returnIdentification, wire.endToEndId].find((id) => id?.startsWith('D') === true);
  return {
    reference: wire.correlationID,
    amountMinor: wire.value,
    kind,
    status,
    at: wire.time,
    ...(returnId ? { returnId } : {}),
  };
}
