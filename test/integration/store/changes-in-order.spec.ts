// `updated_at` grows in the order in which changes can be seen, whatever the steps' own times are: who polls with
// `updated_since` and the last value misses nothing.
import { newRecord } from '../../../domain/payments/deposit-record.js';
import assert from 'node:assert/strict';
import { createDatabase, type Database } from '../../../store/database.js';
import { insertDeposit } from '../../../store/payments/deposit/insert.js';
import { DEPOSITS, readDeposit } from '../../../store/payments/deposit/read.js';
import { type DepositWrite, storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { claimDelivery, openDelivery } from '../../../store/events/deliveries.js';
import { readEvents } from '../../../store/events/events.js';
import type { PaymentReads } from '../../../store/payments/reads.js';
import { insertWithdrawal } from '../../../store/payments/withdrawal/insert.js';
import { WITHDRAWALS } from '../../../store/payments/withdrawal/read.js';
import { AT, createdDeposit, depositOrder, payment, pendingDeposit, useStore } from './fixtures.js';
import { fund, insertionOf, store, withdrawalOrder } from './withdrawal-fixtures.js';

describe('store: the order of changes', () => {
  const fixture = useStore();
  let other: Database;
  beforeEach(async () => {
    const { url } = fixture.testDatabase;
    other = createDatabase({ url, poolSize: 8, connectTimeoutMs: 10_000, statementTimeoutMs: 30_000 });
  });
  afterEach(async () => {
    await other.$disconnect();
  });

  const pending = () => pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
  const storedBy = (database: Database, write: DepositWrite) =>
    storeDepositChange({ database, sealer: fixture.sealer }, write);
  const rowsSince = async <Row extends object>(list: PaymentReads<Row>, updatedSince: Date | undefined) => {
    const filter = { externalId: undefined, playerRef: undefined, status: undefined, afterId: undefined };
    const page = await list.readPage(fixture.database, fixture.operationId, { ...filter, updatedSince, limit: 200 });
    assert.ok(page.kind === 'page' && !page.hasMore);
    return page.rows;
  };

  it('a step that began earlier and is stored later is seen by a poller with its last value', async () => {
    const [slow, quick] = [await pending(), await pending()];
    const [began, later] = ['2026-11-21T12:05:00.000Z', '2026-11-21T12:05:02.200Z'];
    const first = await storedBy(other, { ...payment(fixture, quick), at: later });
    const lastSeen = (await rowsSince(DEPOSITS, undefined))
      .map((row) => row.updatedAt)
      .sort()
      .at(-1);
    const second = await storedBy(fixture.database, { ...payment(fixture, slow), at: began });
    assert.ok(first && second && lastSeen !== undefined);
    const seen = await rowsSince(DEPOSITS, new Date(lastSeen));
    assert.deepEqual(
      seen.map(({ id, status }) => [id, status]).sort(),
      [first, second].map(({ record: { snapshot } }) => [snapshot.id, 'paid']).sort(),
    );
    assert.deepEqual(
      [first.record.snapshot.updatedAt, second.record.snapshot.updatedAt],
      [later, '2026-11-21T12:05:02.201Z'],
    );
    const read = await readDeposit(fixture.database, slow.record.snapshot);
    assert.deepEqual(read, second, 'the step answers what it stored');
  });

  it('a row that is inserted later, and a payment outside the deadline, are later too', async () => {
    const [seen, expiring] = [await pending(), await pending()];
    const lastAt = '2026-11-21T12:40:00.000Z';
    const expired = await storedBy(other, {
      row: expiring,
      change: { trigger: 'expiry' },
      at: lastAt,
      decision: null,
    });
    assert.ok(expired);
    const order = depositOrder(fixture);
    const environment = order.environment;
    const insertion = {
      order,
      record: newRecord(createdDeposit(order)),
      playerRevision: null,
      decision: null,
      environment,
    };
    const inserted = await insertDeposit(fixture.database, fixture.sealer, insertion);
    assert.equal(inserted.kind, 'inserted');
    assert.equal(inserted.kind === 'inserted' && inserted.row.record.snapshot.updatedAt, '2026-11-21T12:40:00.001Z');
    const fields = { paidAmountMinor: 5000n, paidAt: AT, endToEndId: 'E2E', latePayment: true };
    const late = await storedBy(other, { row: expired, change: { trigger: null, fields }, at: AT, decision: null });
    assert.equal(late?.record.snapshot.updatedAt, '2026-11-21T12:40:00.002Z');
    const ids = (await rowsSince(DEPOSITS, new Date('2026-11-21T12:40:00.001Z'))).map(({ id }) => id);
    assert.deepEqual(ids.sort(), [order.id, late.record.snapshot.id].sort());
    assert.ok(!ids.includes(seen.record.snapshot.id));
  });

  it('withdrawals and deposits of an operation have one order', async () => {
    await fund(fixture, 100_000);
    const deposit = await storedBy(other, { ...payment(fixture, await pending()), at: '2026-11-21T13:00:00.000Z' });
    assert.ok(deposit);
    const result = await insertWithdrawal(fixture, insertionOf(withdrawalOrder(fixture)));
    assert.ok(result.kind === 'inserted');
    const { snapshot } = result.row.record;
    assert.deepEqual([snapshot.createdAt, snapshot.updatedAt], [AT, '2026-11-21T13:00:00.001Z']);
    const cancelled = await store(fixture, result.row, { trigger: 'cancel' });
    assert.ok(cancelled !== null);
    assert.equal(cancelled.record.snapshot.updatedAt, '2026-11-21T13:00:00.002Z');
    assert.equal((await rowsSince(WITHDRAWALS, new Date('2026-11-21T13:00:00.002Z'))).length, 1);
  });

  it('the event has the time of its change: row, delivery and replay say the same, byte for byte', async () => {
    // Without an address there is no delivery.
    const webhookUrl = 'https://operator.test/hooks';
    await fixture.database.operation.update({ where: { id: fixture.operationId }, data: { webhookUrl } });
    const [slow, quick] = [await pending(), await pending()];
    await storedBy(other, { ...payment(fixture, quick), at: '2026-11-21T12:05:02.200Z' });
    const written = await storedBy(other, { ...payment(fixture, slow), at: '2026-11-21T12:05:00.000Z' });
    const { id: objectId, updatedAt } = written!.record.snapshot;
    const { database, sealer, operationId } = fixture;
    const replay = await readEvents(database, sealer, operationId, { objectId, afterId: undefined, limit: 10 });
    assert.ok(replay.kind === 'page');
    const last = JSON.parse(replay.envelopes.at(-1)!.toString('utf8'));
    assert.deepEqual([last.created_at, last.data.object.updated_at], [updatedAt, updatedAt]);
    assert.deepEqual([last.type, last.data.object.created_at], ['deposit.paid', AT]);
    const event = { eventId: replay.lastId ?? '', operationId };
    const claimed = await claimDelivery(database, { ...event, attempt: 1 });
    assert.ok(claimed !== null && claimed !== 'not_due');
    const delivery = openDelivery(sealer, event, claimed);
    assert.equal(delivery.body.toString('utf8'), replay.envelopes.at(-1)?.toString('utf8'));
    assert.equal(delivery.createdAt.toISOString(), updatedAt);
  });
});
