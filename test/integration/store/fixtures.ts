// An operation in a fresh database, and orders for it, for the tests of the store.
import { randomBytes } from 'node:crypto';
import type { WithdrawalOrder } from '../../../contract/temporal/withdrawal.js';
import { newId } from '../../../domain/identifiers.js';
import type { WithdrawalSnapshot } from '../../../domain/withdrawal.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { keysInMemory, Sealer } from '../../../store/sealing/sealer.js';
import { createTestDatabase, type TestDatabase } from '../../../tools/harness/database.js';
import { AT } from '../../../tools/harness/deposit-fixtures.js';

export { AT, createdDeposit, depositOrder, payment } from '../../../tools/harness/deposit-fixtures.js';

export interface StoreFixture {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly operationId: string;
  close(): Promise<void>;
}

export async function openStore(): Promise<StoreFixture> {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({
    url: testDatabase.url,
    poolSize: 16,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 30_000,
  });
  const operationId = newId('operation');
  await database.operation.create({
    data: { id: operationId, name: 'acme', environment: 'sandbox', provider: 'simulator' },
  });
  await database.operationCounter.create({ data: { operationId } });
  return {
    testDatabase,
    database,
    operationId,
    sealer: new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32))),
    close: async () => {
      await database.$disconnect();
      await testDatabase.drop();
    },
  };
}

export function withdrawalOrder(
  { sealer, operationId }: StoreFixture,
  change: { externalId?: string; playerRef?: string; amountMinor?: string } = {},
): WithdrawalOrder {
  const playerRef = change.playerRef ?? 'player-1';
  const document = { type: 'CPF', number: '52998224725', country: 'BR' };
  return {
    withdrawalId: newId('withdrawal'),
    operationId,
    operationName: 'acme',
    environment: 'sandbox',
    provider: 'simulator',
    externalId: change.externalId ?? newId('event'),
    playerRef,
    amountMinor: change.amountMinor ?? '1000',
    currency: 'BRL',
    reviewRequested: false,
    operatorReasons: 0,
    hasPlayerIp: true,
    destinationType: 'cpf',
    sealedRequest: sealer.sealJson({
      player: { external_ref: playerRef, document, ip: '203.0.113.7', device_id: 'device-1' },
      destination: { pix: { key_type: 'cpf', key: '52998224725' } },
    }),
  };
}

export function bornWithdrawal(
  order: WithdrawalOrder,
  status: 'approved' | 'under_review' | 'requested' = 'approved',
): WithdrawalSnapshot {
  return {
    id: order.withdrawalId,
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
    decision: { mode: 'automatic', reasons: [], ruleSetVersion: 1, decidedBy: [], decidedAt: AT },
    pspReference: null,
    failureCode: null,
    createdAt: AT,
    updatedAt: AT,
    paidAt: null,
  };
}

/** Balances by account, of the operation's BRL. */
export async function balances({ database, operationId }: StoreFixture): Promise<Record<string, string>> {
  const rows = await database.ledgerAccount.findMany({ where: { operationId } });
  return Object.fromEntries(rows.map((row) => [row.account, row.balanceMinor.toFixed(0)]));
}
