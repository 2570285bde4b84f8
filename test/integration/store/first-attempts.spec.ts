// First attempts in a real PostgreSQL: every event is in the outbox until it is accepted. The process that stores it
// makes the first attempt, or any other at once; an object's events are first attempted in their order.
import assert from 'node:assert/strict';
import { storeDepositChange } from '../../../store/payments/deposit/transition.js';
import type { SealedDelivery } from '../../../store/events/deliveries.js';
import type { StoredEvent } from '../../../store/events/first-attempts.js';
import { insertWithdrawal } from '../../../store/payments/withdrawal/insert.js';
import { storeWithdrawalChange } from '../../../store/payments/withdrawal/transition.js';
import { depositOrder, payment, pendingDeposit, useStore } from './fixtures.js';
import { fund, insertionOf, read, withdrawalOrder } from './withdrawal-fixtures.js';

const URL = 'https://operator.test/webhooks';

describe('first attempts, in the store', () => {
  const fixture = useStore();
  let begun: { readonly event: StoredEvent; readonly delivery: SealedDelivery }[];
  let takes: readonly string[] | null;
  beforeEach(async () => {
    await fixture.database.operation.update({ where: { id: fixture.operationId }, data: { webhookUrl: URL } });
    [begun, takes] = [[], []];
  });

  const store = () => ({
    ...fixture,
    firstAttempts: {
      takes: () => takes,
      begin: (event: StoredEvent, delivery: SealedDelivery) => void begun.push({ event, delivery }),
    },
  });
  /** The events in the outbox: `left` to the process that stored it, or `due`. */
  const inOutbox = async () =>
    (await fixture.database.eventOutbox.findMany({ orderBy: { dueAt: 'asc' } })).map(({ eventId, dueAt }) => [
      eventId,
      dueAt.getTime() > Date.now() + 10_000 ? 'left' : 'due',
    ]);
  /** The last event of an object. */
  const lastOf = async (objectId: string) =>
    (await fixture.database.event.findFirst({ where: { objectId }, orderBy: { sequence: 'desc' } }))?.id;

  /** A deposit that is paid; its earlier event is accepted, or waits for its first attempt. */
  async function paid(earlier: 'accepted' | 'waits' = 'accepted') {
    const kept = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
    const first = await lastOf(kept.record.snapshot.id);
    if (earlier === 'accepted') await fixture.database.eventOutbox.deleteMany();
    const write = payment(fixture, kept);
    return { first: first ?? '', write, id: kept.record.snapshot.id };
  }

  it('deposit: the process that stores the event delivers it, with its target; others do not take it meanwhile', async () => {
    const { id, write } = await paid();
    assert.ok(await storeDepositChange(store(), write));
    const last = await lastOf(id);
    assert.deepEqual(
      begun.map(({ event, delivery }) => [event, delivery.target.url]),
      [[{ eventId: last, operationId: fixture.operationId, objectId: id }, URL]],
    );
    assert.deepEqual(await inOutbox(), [[last, 'left']]);
  });

  it('deposit: an event that the process does not take is due', async () => {
    takes = null;
    const { id, write } = await paid();
    assert.ok(await storeDepositChange(store(), write));
    assert.deepEqual([begun, await inOutbox()], [[], [[await lastOf(id), 'due']]]);
  });

  it('deposit: while an earlier event waits elsewhere for its first attempt, the next is due, and waits behind it', async () => {
    const { id, first, write } = await paid('waits');
    assert.ok(await storeDepositChange(store(), write));
    assert.deepEqual(begun, []);
    assert.deepEqual(await inOutbox(), [
      [first, 'due'],
      [await lastOf(id), 'due'],
    ]);
  });

  it('deposit: an earlier event whose first attempt the same process makes, or that failed once, is not waited for', async () => {
    const held = await paid('waits');
    takes = [held.first];
    assert.ok(await storeDepositChange(store(), held.write));
    takes = [];
    const failed = await paid('waits');
    await fixture.database.eventOutbox.updateMany({ where: { eventId: failed.first }, data: { attempts: 1 } });
    assert.ok(await storeDepositChange(store(), failed.write));
    assert.deepEqual(
      begun.map(({ event: { objectId } }) => objectId),
      [held.id, failed.id],
    );
  });

  it('an operation without a webhook URL has no deliveries', async () => {
    const { write } = await paid();
    await fixture.database.operation.updateMany({ data: { webhookUrl: null } });
    for (takes of [null, []]) {
      assert.ok(await storeDepositChange(store(), takes === null ? write : (await paid()).write));
      assert.deepEqual(await inOutbox(), []);
    }
  });

  it('withdrawal: the same for its insertion and its changes', async () => {
    await fund(fixture, 10_000);
    await fixture.database.eventOutbox.deleteMany();
    const insertion = insertionOf(withdrawalOrder(fixture));
    const first = await insertWithdrawal(store(), insertion);
    assert.ok(first.kind === 'inserted');
    assert.equal((await insertWithdrawal(store(), insertion)).kind, 'found');
    const created = await lastOf(first.row.record.snapshot.id);
    assert.deepEqual([begun.length, await inOutbox()], [1, [[created, 'left']]]);
    takes = null;
    const write = { row: await read(fixture, first.row), at: new Date().toISOString(), decision: null };
    const change = { ...write, change: { trigger: 'cancel' } } as const;
    assert.notEqual(await storeWithdrawalChange(store(), change), null);
    assert.equal(await storeWithdrawalChange(store(), change), null);
    assert.deepEqual(
      [begun.length, await inOutbox()],
      [
        1,
        [
          [await lastOf(first.row.record.snapshot.id), 'due'],
          [created, 'left'],
        ],
      ],
    );
  });
});
