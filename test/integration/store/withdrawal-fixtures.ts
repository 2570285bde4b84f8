// Withdrawals for the tests of the store: orders, insertions, and rows as the steps read them.
import type { WithdrawalOrder } from '../../../contract/temporal/payment.js';
import { newId } from '../../../domain/identifiers.js';
import type { AccountName } from '../../../domain/provider-accounts.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../../domain/rules/thresholds.js';
import { approve } from '../../../domain/payments/withdrawal-acts.js';
import type { WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { readAct } from '../../../store/staff/acts.js';
import { type WithdrawalRow, readWithdrawal } from '../../../store/payments/withdrawal/read.js';
import { insertWithdrawal, type WithdrawalInsertion } from '../../../store/payments/withdrawal/insert.js';
import { storeWithdrawalChange } from '../../../store/payments/withdrawal/transition.js';
import { AT, type StoreFixture } from './fixtures.js';
import { storedAct } from './staff-fixtures.js';
import { sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

export interface OrderOptions {
  readonly externalId?: string;
  readonly playerRef?: string;
  readonly amountMinor?: bigint;
  readonly reviewReasons?: readonly string[];
  readonly reviewRequested?: boolean;
}

export function withdrawalOrder(
  { sealer, operationId }: StoreFixture,
  {
    externalId,
    playerRef = 'player-1',
    amountMinor = 1000n,
    reviewReasons,
    reviewRequested = false,
  }: OrderOptions = {},
): WithdrawalOrder {
  const document = { type: 'CPF', number: '52998224725', country: 'BR' };
  const order = {
    id: newId('withdrawal'),
    operationId,
    operationName: 'acme',
    environment: 'sandbox' as const,
    provider: 'simulator',
    externalId: externalId ?? newId('event'),
    playerRef,
    amountMinor,
    currency: 'BRL',
    reviewRequested,
    operatorReasons: 0,
    hasPlayerIp: true,
    destinationType: 'cpf',
  };
  return sealedWithdrawalOrder(sealer, order, {
    player: { external_ref: playerRef, document, ip: '203.0.113.7', device_id: 'device-1' },
    destination: { pix: { key_type: 'cpf', key: '52998224725' } },
    review_reasons: reviewReasons,
  });
}

type InitialStatus = 'approved' | 'under_review' | 'requested';

/** The insertion of a withdrawal in its decided state. */
export function insertionOf(
  order: WithdrawalOrder,
  status: InitialStatus = 'approved',
  settings: Partial<WithdrawalInsertion> = {},
): WithdrawalInsertion {
  const decision = { mode: 'automatic', reasons: [], ruleSetVersion: 1, decidedBy: [], decidedAt: AT } as const;
  return {
    order,
    record: {
      snapshot: {
        id: order.id,
        operationId: order.operationId,
        externalId: order.externalId,
        status,
        version: 1,
        amountMinor: order.amountMinor,
        currency: 'BRL',
        feeMinor: null,
        method: 'pix',
        playerRef: order.playerRef,
        provider: 'simulator',
        decision,
        pspReference: null,
        failureCode: null,
        createdAt: AT,
        updatedAt: AT,
        paidAt: null,
      },
      revision: 1,
      keyOwner: 'not_asked',
      lookupEndToEndId: null,
      judgement: status === 'requested' ? 'none' : 'passed',
      send: null,
      returnedParts: [],
    },
    playerRevision: null,
    automaticUse: null,
    decision: null,
    ...settings,
  };
}

/** The rules' decision that a withdrawal follows from. */
export function decisionOn(
  { operationId, id: objectId, playerRef }: WithdrawalOrder,
  kind: 'automatic' | 'review',
  reasons: readonly string[] = [],
): DecisionRecord {
  const thresholds = thresholdsOf(defaultRuleSet(1), 'BRL');
  const outcome = { kind, reasons, keyCheckNeeded: false };
  const about = { operationId, objectId, playerRef, stage: 'creation', ruleSetVersion: 1, at: AT } as const;
  return { ...about, facts: {}, thresholds, reports: [], outcome };
}

/** A stored withdrawal, as a step reads it. One that is born approved was decided by the rules. */
export async function inserted(fixture: StoreFixture, status: InitialStatus = 'approved'): Promise<WithdrawalRow> {
  const order = withdrawalOrder(fixture);
  const decision = status === 'approved' ? decisionOn(order, 'automatic') : null;
  return stored(fixture, insertionOf(order, status, { decision }));
}

/** A withdrawal that waits for people, for these reasons. */
export function underReview(fixture: StoreFixture, reasons: readonly string[]): Promise<WithdrawalRow> {
  const order = withdrawalOrder(fixture);
  const insertion = insertionOf(order, 'under_review', { decision: decisionOn(order, 'review', reasons) });
  const decision = { mode: 'manual', reasons, ruleSetVersion: 1, decidedBy: [], decidedAt: null } as const;
  const snapshot = { ...insertion.record.snapshot, decision };
  return stored(fixture, { ...insertion, record: { ...insertion.record, snapshot } });
}

/** One more person approves it, as the step does it. */
export async function approvedBy(fixture: StoreFixture, held: WithdrawalRow, person: string): Promise<WithdrawalRow> {
  const actId = await storedAct(fixture, 'withdrawal.approve', held.record.snapshot, { person });
  const step = approve(held.record, { actId, stored: await readAct(fixture.database, actId), at: AT });
  if (typeof step === 'string') throw new Error(`not approved: ${step}`);
  const written = await store(fixture, held, step);
  if (written === null) throw new Error('not approved: it changed');
  return read(fixture, held);
}

async function stored(fixture: StoreFixture, insertion: WithdrawalInsertion): Promise<WithdrawalRow> {
  const { database, sealer } = fixture;
  const result = await insertWithdrawal({ database, sealer }, insertion);
  if (result.kind !== 'inserted') throw new Error(`not inserted: ${result.kind}`);
  return read(fixture, result.row);
}

/** The same withdrawal as it is now. */
export function read({ database, operationId }: StoreFixture, held: WithdrawalRow): Promise<WithdrawalRow> {
  return readWithdrawal(database, { id: held.record.snapshot.id, operationId });
}

export function store(
  { database, sealer }: StoreFixture,
  held: WithdrawalRow,
  change: WithdrawalChange,
  at = AT,
): Promise<WithdrawalRow | null> {
  return storeWithdrawalChange({ database, sealer }, { row: held, change, at, decision: null });
}

/** Puts money into the cash box, in an account at a provider. */
export async function fund(
  { database, operationId }: StoreFixture,
  amountMinor: number,
  provider: AccountName = 'simulator',
): Promise<void> {
  const currency = 'BRL';
  for (const [account, sign] of [
    ['available', 1],
    ['provider_clearing', -1],
  ] as const)
    await database.ledgerAccount.upsert({
      where: { operationId_provider_currency_account: { operationId, provider, currency, account } },
      create: { operationId, provider, currency, account, balanceMinor: sign * amountMinor },
      update: { balanceMinor: { increment: sign * amountMinor } },
    });
}
