// An operation with planted settlements in its own database, for the tests of the day close.
import { newId } from '../../../domain/identifiers.js';
import { type LedgerMovement, postingsOf } from '../../../domain/ledger.js';
import { feeTransfer } from '../../../domain/provider-fees.js';
import type { Database } from '../../../store/database.js';
import { openStore, type StoreFixture } from '../store/fixtures.js';

export interface Planted extends StoreFixture {
  readonly book: { readonly operationId: string; readonly currency: string };
  /** A deposit or withdrawal row; answers its id. */
  payment(kind: 'deposit' | 'withdrawal', change?: { id?: string }): Promise<string>;
  /** The ledger entries of one movement at that time. */
  /** Answers the end-to-end id of a late payment, else the transfer's id. */
  move(objectId: string, movement: LedgerMovement, at: string, amountMinor?: bigint): Promise<string>;
  /** The fee that the provider reported with the settlement that was moved last. */
  feeOfLast(objectId: string, at: string, amountMinor: bigint): Promise<void>;
  /** A deposit that was paid at that time. */
  paidDeposit(at: string, amountMinor?: bigint): Promise<string>;
}

/** `createdAt`: when the operation was made, which is where its book begins. */
export async function plantOperation(createdAt = '2025-11-01T00:00:00.000Z'): Promise<Planted> {
  const store = await openStore();
  const { database, operationId } = store;
  await database.operation.update({ where: { id: operationId }, data: { createdAt } });
  let versions = 1;
  const payment: Planted['payment'] = (kind, change = {}) => insertPayment(store, kind, change);
  const transfer = (transferId: string, movement: LedgerMovement, at: string, amountMinor: bigint) =>
    database.ledgerEntry.createMany({
      data: postingsOf(movement, amountMinor).map((posting) => ({
        operationId,
        transferId,
        movement,
        currency: 'BRL',
        account: posting.account,
        amountMinor: posting.amountMinor.toString(),
        createdAt: at,
      })),
    });
  const move: Planted['move'] = async (objectId, movement, at, amountMinor = 5_000n) => {
    versions += 1;
    const isLate = movement === 'late_payment_received';
    const reference = isLate ? `E${versions}` : `${objectId}:${versions}`;
    await transfer(isLate ? `${objectId}:late:${reference}` : reference, movement, at, amountMinor);
    return reference;
  };
  const feeOfLast: Planted['feeOfLast'] = async (objectId, at, amountMinor) => {
    const settled = { name: 'withdrawal_paid', amountMinor: '1', transferId: `${objectId}:${versions}` } as const;
    const fee = feeTransfer(objectId, { of: 'payout', amountMinor: amountMinor.toString() }, settled);
    await transfer(fee.transferId, fee.name, at, amountMinor);
  };
  const paidDeposit: Planted['paidDeposit'] = async (at, amountMinor) => {
    const id = await payment('deposit');
    await move(id, 'deposit_credited', at, amountMinor);
    return id;
  };
  return { ...store, book: { operationId, currency: 'BRL' }, payment, move, feeOfLast, paidDeposit };
}

async function insertPayment(
  { database, operationId }: { database: Database; operationId: string },
  kind: 'deposit' | 'withdrawal',
  change: { id?: string },
): Promise<string> {
  const id = change.id ?? newId(kind);
  const at = '2026-11-01T00:00:00.000Z';
  const common = {
    id,
    operationId,
    externalId: `ext-${id}`,
    status: 'paid',
    version: 3,
    amountMinor: '5000',
    currency: 'BRL',
    method: 'pix',
    playerRef: 'player-1',
    provider: 'simulator',
    requestSealed: Buffer.from('x'),
    createdAt: at,
    updatedAt: at,
  };
  if (kind === 'deposit')
    await database.deposit.create({ data: { ...common, paidAmountMinor: '5000', expiresAt: at } });
  else
    await database.withdrawal.create({
      data: {
        ...common,
        reviewRequested: false,
        judgement: 'passed',
        destinationType: 'cpf',
        destinationHash: Buffer.from('x'),
        decisionMode: 'automatic',
        ruleSetVersion: 1,
      },
    });
  return id;
}
