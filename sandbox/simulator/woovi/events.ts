// The simulated Woovi's webhooks: one event each, in the shapes of its examples.
import type { SimulatedAccount } from '../../../platform/config/simulator.js';
import type { SimulatedCharge, SimulatedDispute, SimulatedPayout, SimulatedPix } from '../state.js';
import { type CallbackMessage, type CallbackFormat, WOOVI_PAUSES_MS } from '../callback-format.js';
import {
  dispute,
  FEE_CENTS,
  payment,
  paymentAnswer,
  paymentTransaction,
  returnTransaction,
  withdrawal,
} from './shapes.js';
import { signatureOf } from './signing.js';

const COMPANY = { id: '6810ce3b892866f103d77ef2', name: 'Operator Sandbox', taxID: '11222333000181' };
const ACCOUNT = { environment: 'TESTING' };

const message = (body: object): CallbackMessage => ({
  target: '/events',
  body: { ...body, company: COMPANY, account: ACCOUNT },
});

/** A payment, or the news of its last return. */
function pixCallback(charge: SimulatedCharge, pix: SimulatedPix): CallbackMessage {
  const last = pix.reversals.at(-1);
  if (last === undefined) return message(completed(charge, pix));
  if (last.nature === 'MED_FRAUDE')
    return message({ event: 'OPENPIX:DISPUTE_ACCEPTED', dispute: dispute(pix, 'alone') });
  const end = last.status === 'NAO_REALIZADO' ? 'REJECTED' : 'CONFIRMED';
  return message({
    event: `PIX_TRANSACTION_REFUND_SENT_${end}`,
    refundTransaction: returnTransaction({
      id: last.returnId,
      value: last.amountMinor,
      time: last.settledAt ?? last.requestedAt,
    }),
    originalTransaction: payment(charge, pix),
  });
}

/** The charge as a webhook has it. Its payer is in `pix`. */
function completed(charge: SimulatedCharge, pix: SimulatedPix): object {
  const paid = payment(charge, pix);
  return {
    event: 'OPENPIX:CHARGE_COMPLETED',
    charge: {
      value: Number(charge.amountMinor),
      comment: charge.description ?? '',
      identifier: charge.locationId,
      transactionID: charge.locationId,
      status: 'COMPLETED',
      correlationID: charge.txid,
      createdAt: charge.createdAt,
      updatedAt: pix.paidAt,
      paidAt: pix.paidAt,
      type: 'DYNAMIC',
    },
    pix: paid,
  };
}

/** No event reports an answered case; a lost one is reported with its return. */
const DISPUTE_EVENTS: Readonly<Partial<Record<SimulatedDispute['status'], string>>> = {
  open: 'CREATED',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
};

function disputeCallback(pix: SimulatedPix): CallbackMessage | null {
  const event = pix.dispute && DISPUTE_EVENTS[pix.dispute.status];
  return event === undefined ? null : message({ event: `OPENPIX:DISPUTE_${event}`, dispute: dispute(pix, 'alone') });
}

function payoutCallback(payout: SimulatedPayout): CallbackMessage {
  const last = payout.returns.findLast(({ status }) => status === 'DEVOLVIDO');
  if (last !== undefined)
    return message({
      event: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED',
      refundTransaction: returnTransaction({ id: last.id, value: last.amountMinor, time: last.at }),
      originalTransaction: withdrawal(payout, 'besideItsReturn'),
    });
  const { status } = payout;
  return message({
    event: status === 'failed' ? 'OPENPIX:MOVEMENT_FAILED' : 'OPENPIX:MOVEMENT_CONFIRMED',
    ...paymentAnswer(payout, status),
    transaction: paymentTransaction(payout, status),
    ...(status === 'failed' ? { error: { code: 'PAY_PIX_KEY_ERROR', description: 'Falha ao Pagar Chave Pix' } } : {}),
  });
}

/** Each webhook is signed, and carries the `authorization` that it was registered with. */
function callbackHeaders(account: SimulatedAccount, body: string): Readonly<Record<string, string>> {
  return { 'x-webhook-signature': signatureOf(account, body), authorization: account.callbackSecret ?? '' };
}

export const WOOVI_CALLBACKS: CallbackFormat = {
  merchantName: 'WOOVI',
  feeMinor: BigInt(FEE_CENTS),
  pixCallback: (charge, pix) => pixCallback(charge, pix),
  disputeCallback,
  callbackPausesMs: WOOVI_PAUSES_MS,
  listsPayouts: true,
  payoutCallback: (payout) => payoutCallback(payout),
  callbackHeaders,
};
