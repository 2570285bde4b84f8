// A deposit as workflows hand it to the store: its order, its first row, and its transition to paid.
import type { DepositTransitionInput } from '../../contract/temporal/transitions.js';
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import { newId } from '../../domain/identifiers.js';
import type { Sealer } from '../../store/sealing/sealer.js';

export const AT = '2026-11-21T12:00:00.000Z';

/** An operation whose requests this sealer seals. */
interface SealingOperation {
  readonly sealer: Sealer;
  readonly operationId: string;
}

export function depositOrder(
  { sealer, operationId }: SealingOperation,
  change: { externalId?: string; playerRef?: string; document?: string } = {},
): DepositOrder {
  const playerRef = change.playerRef ?? 'player-1';
  const document = { type: 'CPF', number: change.document ?? '52998224725', country: 'BR' };
  return {
    depositId: newId('deposit'),
    operationId,
    operationName: 'acme',
    environment: 'sandbox',
    provider: 'simulator',
    externalId: change.externalId ?? newId('event'),
    playerRef,
    amountMinor: '5000',
    currency: 'BRL',
    expiresInSeconds: 1800,
    sealedRequest: sealer.sealJson({ player: { external_ref: playerRef, document } }),
  };
}

export function createdDeposit(order: DepositOrder): DepositSnapshot {
  return {
    id: order.depositId,
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

/** `created → paid` in one step, crediting the cash box. */
export function payment(
  { sealer }: Pick<SealingOperation, 'sealer'>,
  created: DepositSnapshot,
): DepositTransitionInput {
  const deposit: DepositSnapshot = {
    ...created,
    status: 'paid',
    version: 2,
    paidAmountMinor: created.amountMinor,
    paidAt: AT,
    hasPayer: true,
  };
  const payer = { document: { type: 'CPF', number: '52998224725', country: 'BR' }, name: 'Ana', matchesPlayer: true };
  return {
    deposit,
    fromVersion: 1,
    sealedPayer: sealer.sealJson(payer),
    event: { id: newId('event'), type: 'deposit.paid' },
    movement: { name: 'deposit_credited', amountMinor: created.amountMinor, transferId: `${deposit.id}:2` },
    alert: null,
    resolves: [],
  };
}
