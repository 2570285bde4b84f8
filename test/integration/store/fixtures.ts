// An operation in a fresh database, and orders for it, for the tests of the store.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId } from '../../../domain/identifiers.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

export {
  AT,
  createdDeposit,
  depositOrder,
  payment,
  pendingDeposit,
  sealedPayer,
} from '../../../lab/harness/deposit-fixtures.js';

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

/** One for each test of the block, or one for all of them: opened and closed by hooks. */
export function useStore(span: 'once' | 'each' = 'each'): StoreFixture {
  let opened: StoreFixture | null = null;
  const [begin, end] = span === 'once' ? [before, after] : [beforeEach, afterEach];
  begin(async () => {
    opened = await openStore();
  });
  end(() => opened?.close());
  const now = () => opened ?? assert.fail('it is opened by a hook');
  return {
    get testDatabase() {
      return now().testDatabase;
    },
    get database() {
      return now().database;
    },
    get sealer() {
      return now().sealer;
    },
    get operationId() {
      return now().operationId;
    },
    close: () => now().close(),
  };
}

/** Balances by account, of the operation's BRL. */
export async function balances({ database, operationId }: StoreFixture): Promise<Record<string, string>> {
  const rows = await database.ledgerAccount.findMany({ where: { operationId } });
  return Object.fromEntries(rows.map((row) => [row.account, row.balanceMinor.toFixed(0)]));
}

/** The types of an object's events, oldest first. */
export async function publishedOf({ database }: StoreFixture, objectId: string): Promise<string[]> {
  const events = await database.event.findMany({ where: { objectId }, orderBy: { sequence: 'asc' } });
  return events.map(({ type }) => type);
}
