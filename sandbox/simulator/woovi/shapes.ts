// What the simulated Woovi answers, in the fields and words of its OpenAPI document and of the examples in its guides.
import { buildDynamicBrCode } from '../../../domain/br-code.js';
import { depositBehaviourOf } from '../behaviours.js';
import type {
  SimulatedDispute,
  PayoutStatus,
  Person,
  SimulatedCharge,
  SimulatedPayout,
  SimulatedPix,
  SimulatedReversal,
} from '../state.js';

export const FEE_CENTS = 85;
/** How long a paid charge is still reported as active: its payment is listed first. */
export const CHARGE_LAGS_MS = 200;
const CITY = 'Sao_Paulo';
const NAME = 'Simulador_Woovi';
const REAL_HOST = 'qr.woovi.com';
/** Short: a code has 77 characters for the whole address. */
export const CODE_PATH = '/qr/v1';

/** Where the API is reached: `127.0.0.1:7802/a`. */
export type Base = string;

function chargeStatus(charge: SimulatedCharge, lagMs: number, nowMs = Date.now()): 'ACTIVE' | 'COMPLETED' | 'EXPIRED' {
  const [pix] = charge.pix;
  if (pix) return nowMs - Date.parse(pix.paidAt) < lagMs ? 'ACTIVE' : 'COMPLETED';
  return nowMs > expiryMs(charge) ? 'EXPIRED' : 'ACTIVE';
}

const expiryMs = ({ createdAt, expiresInSeconds }: SimulatedCharge) => Date.parse(createdAt) + expiresInSeconds * 1_000;

function brCode(charge: SimulatedCharge, base: Base): string {
  const amountMinor = BigInt(charge.amountMinor);
  const at = depositBehaviourOf(amountMinor).sandboxMarker ? base : REAL_HOST;
  return buildDynamicBrCode({
    location: `${at}${CODE_PATH}/${charge.locationId}`,
    amountMinor,
    merchantName: NAME,
    merchantCity: CITY,
  });
}

/** `Charge`. */
export function charge(one: SimulatedCharge, pixKey: string, base: Base, lagMs: number): Record<string, unknown> {
  const code = brCode(one, base);
  const status = chargeStatus(one, lagMs);
  const value = Number(one.amountMinor);
  const image = `http://${base}/openpix/charge/brcode/image/${one.locationId}.png`;
  const [pix] = one.pix;
  const paidByAnother = pix?.payer && pix.payer.number !== one.debtor?.number ? person(pix.payer) : null;
  return {
    ...(one.debtor === null ? {} : { customer: person(one.debtor) }),
    value,
    comment: one.description ?? '',
    identifier: one.locationId,
    correlationID: one.txid,
    paymentLinkID: one.locationId,
    transactionID: one.locationId,
    status,
    additionalInfo: [],
    fee: FEE_CENTS,
    discount: 0,
    valueWithDiscount: value,
    expiresDate: new Date(expiryMs(one)).toISOString(),
    type: 'DYNAMIC',
    createdAt: one.createdAt,
    updatedAt: pix?.paidAt ?? one.createdAt,
    ...(pix ? { paidAt: pix.paidAt } : {}),
    payer: paidByAnother,
    ensureSameTaxID: false,
    expiresIn: one.expiresInSeconds,
    pixKey,
    brCode: code,
    paymentLinkUrl: `http://${base}/pay/${one.locationId}`,
    qrCodeImage: image,
    globalID: globalId('Charge', one.locationId),
    paymentMethods: {
      pix: {
        method: 'PIX_COB',
        txId: one.locationId,
        transactionID: one.locationId,
        identifier: one.locationId,
        additionalInfo: [],
        value,
        status,
        fee: FEE_CENTS,
        brCode: code,
        qrCodeImage: image,
      },
    },
  };
}

/** `Customer`. */
function person({ type, number, name }: Person): Record<string, unknown> {
  return { name: name ?? 'Sem Nome', taxID: { taxID: number, type: `BR:${type}` }, correlationID: number };
}

const globalId = (what: string, id: string) => Buffer.from(`${what}:${id}`).toString('base64');

/** `Transaction` of a received PIX. */
export function payment(one: SimulatedCharge, pix: SimulatedPix): Record<string, unknown> {
  return {
    ...(one.debtor === null ? {} : { customer: person(one.debtor) }),
    ...(pix.payer === null ? {} : { payer: person(pix.payer), debitParty: { holder: person(pix.payer) } }),
    charge: {
      correlationID: one.txid,
      status: chargeStatus(one, CHARGE_LAGS_MS),
      createdAt: one.createdAt,
      updatedAt: pix.paidAt,
    },
    value: Number(pix.amountMinor),
    time: pix.paidAt,
    transactionID: one.locationId,
    infoPagador: 'pago no simulador',
    type: 'PAYMENT',
    status: stateAfter(pix.amountMinor, pix.reversals),
    endToEndId: pix.endToEndId,
    fee: FEE_CENTS,
    createdAt: pix.paidAt,
    globalID: globalId('PixTransaction', pix.endToEndId),
  };
}

/** Of a transaction, by what of it was sent back. */
function stateAfter(amountMinor: string, returns: readonly Pick<SimulatedReversal, 'amountMinor' | 'status'>[]) {
  const done = returns.filter(({ status }) => status === 'DEVOLVIDO');
  const back = done.reduce((sum, part) => sum + BigInt(part.amountMinor), 0n);
  if (back === 0n) return 'CONFIRMED';
  return back < BigInt(amountMinor) ? 'PARTIAL_REFUND' : 'REFUNDED';
}

/** `Transaction` of a PIX without a charge. */
export function transfer(pix: SimulatedPix): Record<string, unknown> {
  return {
    ...(pix.payer === null ? {} : { payer: person(pix.payer), debitParty: { holder: person(pix.payer) } }),
    value: Number(pix.amountMinor),
    time: pix.paidAt,
    type: 'PAYMENT',
    status: 'CONFIRMED',
    endToEndId: pix.endToEndId,
    fee: FEE_CENTS,
    createdAt: pix.paidAt,
    globalID: globalId('PixTransaction', pix.endToEndId),
  };
}

/** `Transaction` of a return, in either direction. */
export function returnTransaction({ id, value, time }: { id: string; value: string; time: string }) {
  return {
    value: Number(value),
    time,
    endToEndId: id,
    type: 'REFUND',
    status: 'CONFIRMED',
    createdAt: time,
    globalID: globalId('PixTransaction', id),
  };
}

/**
 * `Transaction` of a sent payment. In lists its state tells what came back, as the document's states of transactions
 * say; beside its return it stays `CONFIRMED`, as in the example of the webhook.
 */
export function withdrawal(payout: SimulatedPayout, where: 'inTheList' | 'besideItsReturn'): Record<string, unknown> {
  return {
    value: Number(payout.amountMinor),
    time: payout.settledAt ?? payout.createdAt,
    endToEndId: payout.endToEndId,
    type: 'WITHDRAW',
    status: where === 'inTheList' ? stateAfter(payout.amountMinor, payout.returns) : 'CONFIRMED',
    createdAt: payout.createdAt,
    globalID: globalId('PixTransaction', payout.endToEndId),
  };
}

const REFUND_STATUSES = {
  EM_PROCESSAMENTO: ['IN_PROCESSING', 'IN_PROCESSING'],
  DEVOLVIDO: ['REFUNDED', 'CONFIRMED'],
  NAO_REALIZADO: ['NOT_ACCOMPLISHED', 'REJECTED'],
} as const satisfies Record<SimulatedReversal['status'], readonly [alone: string, inTheList: string]>;

/** `Refund`. */
export function refund(reversal: SimulatedReversal): Record<string, unknown> {
  return {
    value: Number(reversal.amountMinor),
    status: REFUND_STATUSES[reversal.status][0],
    correlationID: reversal.id,
    refundId: reversal.id,
    time: reversal.settledAt ?? reversal.requestedAt,
    returnIdentification: reversal.returnId,
    comment: '',
  };
}

/** `ChargeRefund`. */
export function chargeRefund(reversal: SimulatedReversal): Record<string, unknown> {
  return {
    value: Number(reversal.amountMinor),
    status: REFUND_STATUSES[reversal.status][1],
    correlationID: reversal.id,
    endToEndId: reversal.returnId,
    time: reversal.settledAt ?? reversal.requestedAt,
    comment: '',
  };
}

/** `GET /dispute/{id}` and the list name an open case differently. */
const DISPUTE_STATUSES = {
  open: { alone: 'CREATED', inTheList: 'IN_REVIEW' },
  defended: { alone: 'CREATED', inTheList: 'IN_REVIEW' },
  accepted: { alone: 'ACCEPTED', inTheList: 'ACCEPTED' },
  rejected: { alone: 'REJECTED', inTheList: 'REJECTED' },
  canceled: { alone: 'CANCELED', inTheList: 'CANCELED' },
} as const satisfies Record<SimulatedDispute['status'], object>;

/** The dispute of a payment; null if there is none. */
export function dispute(pix: SimulatedPix, where: 'alone' | 'inTheList'): Record<string, unknown> | null {
  if (pix.dispute === undefined) return null;
  const lost = pix.reversals.find(({ nature }) => nature === 'MED_FRAUDE');
  return {
    status: DISPUTE_STATUSES[pix.dispute.status][where],
    name: pix.payer?.name ?? 'Sem Nome',
    email: 'payer@example.com',
    phoneNumber: '+5511999999999',
    value: Number((lost ?? pix).amountMinor),
    disputeReason: 'Golpe',
    endToEndId: pix.endToEndId,
    type: 'MED',
    ...(where === 'alone' ? {} : { createdAt: pix.dispute.openedAt, updatedAt: pix.dispute.changedAt }),
  };
}

const PAYMENT_STATUSES = {
  processing: 'APPROVED',
  paid: 'CONFIRMED',
  failed: 'FAILED',
  returned: 'CONFIRMED',
} as const satisfies Record<PayoutStatus, string>;

/** Facts of the payer's side of a payment that the simulator's state does not keep. */
export interface PayerFields {
  readonly destinationAliasType: string;
  readonly comment: string;
}

/** `{payment, transaction}`. The transaction is included once it exists. */
export function paymentAnswer(payout: SimulatedPayout, status: PayoutStatus, fields?: PayerFields): object {
  return {
    payment: {
      type: 'PIX_KEY',
      value: Number(payout.amountMinor),
      status: PAYMENT_STATUSES[status],
      destinationAlias: payout.key,
      ...(fields ?? {}),
      correlationID: payout.reference,
      sourceAccountId: '6823414a524ed520d3518dd6',
    },
    ...(status === 'processing' ? {} : { transaction: paymentTransaction(payout, status) }),
  };
}

/** `PaymentTransaction`. */
export function paymentTransaction(payout: SimulatedPayout, status: PayoutStatus): Record<string, unknown> {
  return {
    value: Number(payout.amountMinor),
    endToEndId: payout.endToEndId,
    time: payout.settledAt ?? payout.createdAt,
    ...(status === 'failed' && payout.code !== null
      ? { providerRejectedReason: `${payout.code} - recusado pelo simulador` }
      : {}),
  };
}
