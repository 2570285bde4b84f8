// An operation with planted settlements in its own database, for the tests of the day close.
import { BANK_KIND_OF } from '../../../domain/ledger.js';
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
  move(objectId: string, movement: LedgerMovement, at: string, amountMinor?: bigint, bank?: AtBank): Promise<string>;
  /** The fee that the provider reported with the settlement that was moved last. */
  feeOfLast(objectId: string, at: string, amountMinor: bigint, bankId?: string): Promise<void>;
  /** A deposit that was paid at that time. */
  paidDeposit(at: string, amountMinor?: bigint, bank?: AtBank): Promise<string>;
}

/** The movement at the provider: where, and the payment's id there. */
export interface AtBank {
  readonly account?: string;
  readonly bankId?: string;
}

/** `createdAt`: when the operation was made, which is where its book begins. */
export async function plantOperation(createdAt = '2025-11-01T00:00:00.000Z'): Promise<Planted> {
  const store = await openStore();
  const { database, operationId } = store;
  await database.operation.update({ where: { id: operationId }, data: { createdAt } });
  let versions = 1;
  const payment: Planted['payment'] = (kind, change = {}) => insertPayment(store, kind, change);
  const transfer = async (
    objectId: string,
    step: string,
    movement: LedgerMovement,
    at: string,
    amountMinor: bigint,
    { account = 'simulator', bankId = `${objectId} ${step}` }: AtBank = {},
  ) => {
    const kind = BANK_KIND_OF[movement];
    const part = kind?.startsWith('returned') === true ? step : '';
    const settled = { settledAt: at, recordedAt: at, saidBy: 'provider' };
    const of = { operationId, objectId, step, currency: 'BRL', amountMinor: amountMinor.toString() };
    if (kind !== null) await database.bankMovement.create({ data: { account, kind, bankId, part, ...of, ...settled } });
    await database.ledgerEntry.createMany({
      data: postingsOf(movement, amountMinor).map((posting) => ({
        operationId,
        provider: account,
        objectId,
        step,
        movement,
        currency: 'BRL',
        account: posting.account,
        amountMinor: posting.amountMinor.toString(),
        createdAt: at,
      })),
    });
  };
  const move: Planted['move'] = async (objectId, movement, at, amountMinor = 5_000n, bank = {}) => {
    versions += 1;
    const isLate = movement === 'late_payment_received';
    const reference = isLate ? `E${versions}` : String(versions);
    const bankId = bank.bankId ?? (isLate ? reference : `${objectId} ${reference}`);
    const step = isLate ? `received:${reference}` : reference;
    await transfer(objectId, step, movement, at, amountMinor, { ...bank, bankId });
    return reference;
  };
  const feeOfLast: Planted['feeOfLast'] = async (objectId, at, amountMinor, bankId = `${objectId} fee`) => {
    const settled = { name: 'withdrawal_paid', amountMinor: 1n, step: String(versions), bank: null } as const;
    const said = { bankId, settledAt: at };
    const fee = feeTransfer({ of: 'payout', amountMinor }, settled, said);
    await transfer(objectId, fee.step, fee.name, at, amountMinor, { bankId });
  };
  const paidDeposit: Planted['paidDeposit'] = async (at, amountMinor, bank) => {
    const id = await payment('deposit');
    await move(id, 'deposit_credited', at, amountMinor, bank);
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
