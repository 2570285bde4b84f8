// The permission to send a payout: one attempt has it, the next may take it over only from one that surely sent
// nothing, and it does not last.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPayoutActivities } from '../../../activities/provider/payouts.js';
import type { ProviderActivities, SendResult } from '../../../activities/types.js';
import type { WithdrawalOrder } from '../../../contract/temporal/withdrawal.js';
import { newId } from '../../../domain/identifiers.js';
import type { PayoutOutcome, Provider } from '../../../providers/port.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { keysInMemory, Sealer } from '../../../store/sealing/sealer.js';
import { createTestDatabase, type TestDatabase } from '../../../tools/harness/database.js';

type SendInput = Parameters<ProviderActivities['sendPayout']>[0];

const ACCEPTED: PayoutOutcome = {
  kind: 'reply',
  payout: { reference: 'x', status: 'processing', endToEndId: null, failureCode: null, paidAt: null, returned: null },
};

const insertWithdrawal = (database: Database, id: string) =>
  database.withdrawal.create({
    data: {
      id,
      operationId: 'op_1',
      externalId: id,
      status: 'processing',
      version: 3,
      amountMinor: 1_000,
      currency: 'BRL',
      method: 'pix',
      playerRef: 'player-1',
      provider: 'simulator',
      requestSealed: new Uint8Array(1),
      destinationType: 'cpf',
      destinationHash: new Uint8Array(1),
      decisionMode: 'automatic',
      ruleSetVersion: 1,
      createdAt: new Date(0),
      updatedAt: new Date(0),
    },
  });

describe('the permission to send', () => {
  const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));
  let testDatabase: TestDatabase;
  let database: Database;
  let order: WithdrawalOrder;
  let sends: number;
  /** How long an attempt stands still between asking for the permission and having it. */
  let frozenMs: number;

  before(async () => {
    testDatabase = await createTestDatabase();
    database = createDatabase({
      url: testDatabase.url,
      poolSize: 2,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 5_000,
    });
  });
  after(async () => {
    await database?.$disconnect();
    await testDatabase?.drop();
  });
  beforeEach(async () => {
    [sends, frozenMs] = [0, 0];
    const sealedRequest = sealer.sealJson({
      player: { document: { type: 'CPF', number: '52998224725', country: 'BR' } },
      destination: { pix: { key_type: 'cpf', key: '52998224725' } },
    });
    order = {
      withdrawalId: newId('withdrawal'),
      environment: 'sandbox',
      provider: 'simulator',
      amountMinor: '1000',
      operationName: 'acme',
      sealedRequest,
    } as WithdrawalOrder;
    await insertWithdrawal(database, order.withdrawalId);
  });

  async function send(attempt: number, takesOverFrom = 0): Promise<SendResult> {
    const provider = {
      sendPayout: async () => {
        sends += 1;
        return ACCEPTED;
      },
    } as unknown as Provider;
    let asked = 0;
    const nowMs = () => (asked++ === 0 ? 0 : frozenMs);
    const { sendPayout } = createPayoutActivities({
      providers: () => provider,
      sealer,
      database,
      environment: 'sandbox',
      nowMs,
    });
    return new MockActivityEnvironment().run<[SendInput], SendResult, typeof sendPayout>(sendPayout, {
      order,
      lookupEndToEndId: null,
      attempt,
      takesOverFrom,
    });
  }

  it('one attempt has it: whatever starts again learns that the outcome is unknown', async () => {
    assert.equal((await send(1)).kind, 'reply');
    assert.deepEqual([(await send(2)).kind, (await send(1)).kind, sends], ['unknown', 'unknown', 1]);
  });

  it('had too late, nothing is sent, and the next attempt may take it over', async () => {
    frozenMs = 10_001;
    assert.deepEqual(await send(1), { kind: 'not_sent', reason: 'the permission to send came too late' });
    frozenMs = 10_000;
    assert.deepEqual([(await send(2)).kind, sends], ['unknown', 0]);
    assert.deepEqual([(await send(2, 1)).kind, sends], ['reply', 1]);
  });
});
