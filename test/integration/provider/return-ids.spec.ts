// The ids of returns that a provider reports are noted once, whichever call reports them; a note that fails fails no
// call.
import assert from 'node:assert/strict';
import pino from 'pino';
import { keepingReturnIds } from '../../../activities/provider/return-ids.js';
import { chargeReferenceOf, newId } from '../../../domain/identifiers.js';
import type { ChargeLookup, Provider, Reversal } from '../../../providers/port.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';

const reversal = (returnId?: string): Reversal => ({
  reference: 'r',
  amountMinor: 1n,
  kind: 'refund',
  status: 'done',
  at: '2026-01-01T00:00:00Z',
  ...(returnId === undefined ? {} : { returnId }),
});
const found = (...reversals: Reversal[]): ChargeLookup => ({
  kind: 'found',
  status: 'paid',
  createdAt: null,
  payments: [
    { endToEndId: 'E', amountMinor: 1n, paidAt: '2026-01-01T00:00:00Z', payer: null, reversals, feeMinor: null },
  ],
});

const insertDeposit = (database: Database, id: string) =>
  database.deposit.create({
    data: {
      id,
      operationId: 'op_1',
      externalId: id,
      status: 'paid',
      version: 3,
      amountMinor: 1,
      paidAmountMinor: 1,
      currency: 'BRL',
      method: 'pix',
      playerRef: 'player-1',
      provider: 'simulator',
      requestSealed: new Uint8Array(1),
      createdAt: new Date(0),
      updatedAt: new Date(0),
      expiresAt: new Date(0),
    },
  });

describe('ids of returns', () => {
  let test: TestDatabase;
  let database: Database;
  let warnings: number;
  const logger = pino({ level: 'warn' }, { write: () => void (warnings += 1) });
  const provider = {
    lookUpCharge: async () => found(reversal('D1'), reversal('D2'), reversal()),
    requestReversal: async () => ({ kind: 'accepted', reversal: reversal('D3') }),
  } as unknown as Provider;
  before(async () => {
    test = await createTestDatabase();
    database = createDatabase({ url: test.url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
  });
  after(async () => {
    await database.$disconnect();
    await test.drop();
  });
  beforeEach(() => {
    warnings = 0;
  });

  it('are noted under the deposit, each once', async () => {
    const deposit = newId('deposit');
    await insertDeposit(database, deposit);
    const kept = keepingReturnIds(() => provider, database, logger)('simulator');
    const request = { endToEndId: 'E', reference: chargeReferenceOf(deposit), amountMinor: 1n };
    for (let round = 0; round < 2; round += 1) {
      assert.deepEqual(await kept.lookUpCharge(request.reference), await provider.lookUpCharge(request.reference));
      assert.deepEqual((await kept.requestReversal(request)).kind, 'accepted');
    }
    const rows = await database.returnId.findMany({
      orderBy: { returnId: 'asc' },
      select: { returnId: true, depositId: true },
    });
    assert.deepEqual([rows, warnings], [['D1', 'D2', 'D3'].map((returnId) => ({ returnId, depositId: deposit })), 0]);
  });

  it('a database that is away fails no look-up', async () => {
    const away = createDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      poolSize: 1,
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 1_000,
    });
    const kept = keepingReturnIds(() => provider, away, logger)('simulator');
    assert.equal((await kept.lookUpCharge(chargeReferenceOf(newId('deposit')))).kind, 'found');
    assert.equal(warnings, 1);
    await away.$disconnect();
  });
});
