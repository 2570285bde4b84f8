// A deposit as its steps hand it to the store: its order, its first row, and its transitions to paid.
import { newRecord } from '../../domain/payments/deposit-record.js';
import type { DepositOrder } from '../../contract/temporal/payment.js';
import type { PaymentFinding } from '../../domain/payments/charge-findings.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import { newId } from '../../domain/identifiers.js';
import { insertDeposit } from '../../store/payments/deposit/insert.js';
import type { Database } from '../../store/database.js';
import { readDeposit, type DepositRow } from '../../store/payments/deposit/read.js';
import { type DepositWrite, storeDepositChange } from '../../store/payments/deposit/transition.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { type Place, placeOf } from '../../store/sealing/places.js';
import { sealedDepositOrder } from '../../store/sealing/orders.js';

export const AT = '2026-11-21T12:00:00.000Z';

/** An operation whose requests this sealer seals. */
interface SealingOperation {
  readonly sealer: Sealer;
  readonly operationId: string;
}

export function depositOrder(
  { sealer, operationId }: SealingOperation,
  change: {
    externalId?: string;
    playerRef?: string;
    document?: string;
    environment?: DepositOrder['environment'];
  } = {},
): DepositOrder {
  const playerRef = change.playerRef ?? 'player-1';
  const document = { type: 'CPF', number: change.document ?? '52998224725', country: 'BR' };
  const order = {
    id: newId('deposit'),
    operationId,
    operationName: 'acme',
    environment: change.environment ?? 'sandbox',
    provider: 'simulator',
    externalId: change.externalId ?? newId('event'),
    playerRef,
    amountMinor: 5000n,
    currency: 'BRL',
    expiresInSeconds: 1800,
  };
  return sealedDepositOrder(sealer, order, { player: { external_ref: playerRef, document } });
}

/** Where the payer of a deposit is sealed. */
export function payerPlace({ id, operationId }: Pick<DepositOrder, 'id' | 'operationId'>): Place {
  return placeOf('deposit.payer_sealed', operationId, { id });
}

/** Its player, as the payer, sealed. */
export function sealedPayer(sealer: Sealer, deposit: Pick<DepositOrder, 'id' | 'operationId'>): string {
  return sealer.sealJson(payerPlace(deposit), { document: null, name: 'Ana', matchesPlayer: true });
}

/** A payment of the deposit by its player, five minutes after `AT`, as a look-up reports it. */
export function paymentFinding(
  sealer: Sealer,
  order: DepositOrder,
  change: Partial<PaymentFinding> = {},
): PaymentFinding {
  return {
    endToEndId: 'E1',
    amountMinor: 5000n,
    paidAt: '2026-11-21T12:05:00.000Z',
    payerMatch: 'match',
    sealedPayer: sealedPayer(sealer, order),
    feeMinor: null,
    reversals: [],
    ...change,
  };
}

export function createdDeposit(order: DepositOrder): DepositSnapshot {
  return {
    id: order.id,
    operationId: order.operationId,
    externalId: order.externalId,
    status: 'created',
    version: 1,
    amountMinor: order.amountMinor,
    currency: 'BRL',
    paidAmountMinor: null,
    method: 'pix',
    playerRef: order.playerRef,
    provider: 'simulator',
    instructions: null,
    failureCode: null,
    reviewReasons: [],
    decidedBy: [],
    endToEndId: null,
    hasPayer: false,
    latePayment: false,
    createdAt: AT,
    updatedAt: AT,
    paidAt: null,
    expiresAt: '2026-11-21T12:30:00.000Z',
  };
}

/** Inserts the deposit and stores its charge: `pending`, at version 2. */
export async function pendingDeposit(database: Database, sealer: Sealer, order: DepositOrder): Promise<DepositRow> {
  const deposit = createdDeposit(order);
  const environment = order.environment;
  const insertion = { order, record: newRecord(deposit), playerRevision: null, decision: null, environment };
  const { kind } = await insertDeposit(database, sealer, insertion);
  const { id, operationId } = order;
  const kept = kind === 'inserted' ? await readDeposit(database, { id, operationId }) : null;
  if (kept === null) throw new Error(`the deposit was not inserted: ${kind}`);
  const { expiresAt } = deposit;
  const instructions = { copyPaste: '00020101', qrCodePngBase64: null, expiresAt };
  const change = { trigger: 'charge_created', fields: { instructions, expiresAt } } as const;
  const written = await storeDepositChange({ database, sealer }, { row: kept, change, at: AT, decision: null });
  if (written === null) throw new Error('the charge was not stored');
  return written;
}

/** `pending → paid`, crediting the cash box. */
export function payment({ sealer }: Pick<SealingOperation, 'sealer'>, kept: DepositRow): DepositWrite {
  const payer = { document: { type: 'CPF', number: '52998224725', country: 'BR' }, name: 'Ana', matchesPlayer: true };
  const fields = {
    paidAmountMinor: kept.record.snapshot.amountMinor,
    paidAt: AT,
    endToEndId: `E${kept.record.snapshot.id}`,
  };
  const { id, operationId } = kept.record.snapshot;
  const place = payerPlace({ id, operationId });
  const change = { trigger: 'payment_matched', fields, sealedPayer: sealer.sealJson(place, payer) } as const;
  return { row: kept, change, at: AT, decision: null };
}
