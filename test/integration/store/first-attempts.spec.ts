// First attempts in a real PostgreSQL: an event is delivered by the process that stored it or goes into the outbox,
// never both, and the check of deliveries finds what was lost with its process.
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeliveryCheckActivities } from '../../../activities/operations/delivery-check.js';
import type { DeliveryCheckResult } from '../../../contract/temporal/delivery-check.js';
import type { WebhookDeliveryInput } from '../../../contract/temporal/webhook-delivery.js';
import { newId } from '../../../domain/identifiers.js';
import { storeDepositChange } from '../../../store/deposits/transition.js';
import type { SealedDelivery } from '../../../store/events/deliveries.js';
import type { StoredEvent } from '../../../store/events/first-attempts.js';
import { lastOutcome } from '../../../store/operations/checks.js';
import { insertWithdrawal } from '../../../store/withdrawals/insert.js';
import { storeWithdrawalChange } from '../../../store/withdrawals/transition.js';
import { depositOrder, openStore, payment, pendingDeposit, type StoreFixture } from './fixtures.js';
import { fund, insertionOf, read, withdrawalOrder } from './withdrawal-fixtures.js';

const URL = 'https://operator.test/webhooks';
const SECOND_MS = 1_000;

describe('first attempts, in the store', () => {
  let fixture: StoreFixture;
  let begun: { readonly event: StoredEvent; readonly delivery: SealedDelivery }[];
  let takes: boolean;
  beforeEach(async () => {
    fixture = await openStore();
    await fixture.database.operation.update({ where: { id: fixture.operationId }, data: { webhookUrl: URL } });
    [begun, takes] = [[], true];
  });
  afterEach(() => fixture.close());

  const store = () => ({
    ...fixture,
    firstAttempts: {
      takes: () => takes,
      begin: (event: StoredEvent, delivery: SealedDelivery) => void begun.push({ event, delivery }),
    },
  });
  const inOutbox = async () => (await fixture.database.eventOutbox.findMany()).map(({ eventId }) => eventId);
  /** The last event of an object. */
  const lastOf = async (objectId: string) =>
    (await fixture.database.event.findFirst({ where: { objectId }, orderBy: { sequence: 'desc' } }))?.id;

  async function paid() {
    const kept = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
    await fixture.database.eventOutbox.deleteMany();
    const write = payment(fixture, kept);
    assert.ok(await storeDepositChange(store(), write));
    return { write, id: kept.snapshot.id };
  }

  it('deposit: the process that stores the event delivers it, with its target', async () => {
    const { id } = await paid();
    assert.deepEqual(
      begun.map(({ event, delivery }) => [event, delivery.target.url]),
      [[{ eventId: await lastOf(id), operationId: fixture.operationId, objectId: id }, URL]],
    );
    assert.deepEqual(await inOutbox(), []);
  });

  it('deposit: an event that the process does not take is in the outbox', async () => {
    takes = false;
    const { id } = await paid();
    assert.deepEqual(begun, []);
    assert.deepEqual(await inOutbox(), [await lastOf(id)]);
  });

  it('deposit: what is not stored is not delivered', async () => {
    const { write } = await paid();
    begun = [];
    for (takes of [true, false]) assert.equal(await storeDepositChange(store(), write), null);
    assert.deepEqual([begun, await inOutbox()], [[], []]);
  });

  it('withdrawal: the same for its insertion and its changes', async () => {
    await fund(fixture, 10_000);
    const insertion = insertionOf(withdrawalOrder(fixture));
    const first = await insertWithdrawal(store(), insertion);
    assert.ok(first.kind === 'inserted');
    assert.equal((await insertWithdrawal(store(), insertion)).kind, 'found');
    assert.deepEqual([begun.length, await inOutbox()], [1, []]);
    takes = false;
    const write = { held: await read(fixture, first.held), at: new Date().toISOString(), decision: null };
    const change = { ...write, change: { trigger: 'cancel' } } as const;
    assert.equal((await storeWithdrawalChange(store(), change)).kind, 'stored');
    assert.equal((await storeWithdrawalChange(store(), change)).kind, 'changed');
    assert.deepEqual([begun.length, await inOutbox()], [1, [await lastOf(first.held.record.snapshot.id)]]);
  });

  describe('the check of deliveries', () => {
    let started: WebhookDeliveryInput[];
    beforeEach(() => (started = []));

    async function check(atMs = Date.now(), start = () => Promise.resolve()): Promise<DeliveryCheckResult> {
      const { checkDeliveries } = createDeliveryCheckActivities(fixture.database, async (delivery) => {
        await start();
        started.push(delivery);
      });
      const input = { at: new Date(atMs).toISOString() };
      return (await new MockActivityEnvironment().run(() => checkDeliveries(input))) as DeliveryCheckResult;
    }

    let sequence = 0n;
    async function event(
      agoSeconds: number,
      attempts: readonly { readonly status: number; readonly nextInSeconds: number | null }[] = [],
    ): Promise<string> {
      const { database, operationId } = fixture;
      const [id, objectId] = [newId('event'), newId('deposit')];
      const createdAt = new Date(Date.now() - agoSeconds * SECOND_MS);
      const of = { operationId, type: 'deposit.paid', objectId, objectVersion: 2, bodySealed: Buffer.of(1) };
      await database.event.create({ data: { id, ...of, sequence: (sequence += 1n), createdAt } });
      for (const [index, { status: responseStatus, nextInSeconds }] of attempts.entries())
        await database.webhookDelivery.create({
          data: {
            ...{ operationId, eventId: id, attempt: index + 1, sentAt: createdAt, responseStatus, durationMs: 1 },
            nextAttemptAt: nextInSeconds === null ? null : new Date(Date.now() + nextInSeconds * SECOND_MS),
          },
        });
      return id;
    }

    it('resumes what was never attempted, and what failed once and is overdue; nothing else', async () => {
      const lost = await event(120);
      const notHandedOver = await event(120, [{ status: 500, nextInSeconds: -31 }]);
      await fixture.database.eventOutbox.create({ data: { eventId: await event(120) } });
      await event(25);
      await event(120, [{ status: 200, nextInSeconds: null }]);
      await event(120, [{ status: 500, nextInSeconds: -29 }]);
      await event(120, [
        { status: 500, nextInSeconds: -31 },
        { status: 500, nextInSeconds: 60 },
      ]);
      const { operationId } = fixture;
      assert.equal((await check()).resumed, 2);
      assert.deepEqual(
        started.toSorted((a, b) => a.attemptsMade - b.attemptsMade),
        [
          { eventId: lost, operationId, attemptsMade: 0 },
          { eventId: notHandedOver, operationId, attemptsMade: 1 },
        ],
      );
      assert.deepEqual((await lastOutcome(fixture.database, 'deliveries'))?.problems, 0);
    });

    it('an operation without a webhook URL has no deliveries', async () => {
      await event(120);
      await fixture.database.operation.updateMany({ data: { webhookUrl: null } });
      assert.equal((await check()).resumed, 0);
    });

    it('goes on from the last check with an overlap of five minutes, however long ago that was', async () => {
      await check(Date.now() - 3_600 * SECOND_MS);
      const inOverlap = await event(3_600 + 30 + 299);
      const since = await event(1_800);
      await event(3_600 + 30 + 301);
      await check();
      assert.deepEqual(started.map(({ eventId }) => eventId).sort(), [inOverlap, since].sort());
    });

    it('a check that breaks off is repeated from where the last whole one ended', async () => {
      const lost = await event(120);
      await assert.rejects(
        check(Date.now(), () => Promise.reject(new Error('no Temporal'))),
        /no Temporal/,
      );
      assert.equal(await lastOutcome(fixture.database, 'deliveries'), null);
      await check();
      assert.deepEqual(
        started.map(({ eventId }) => eventId),
        [lost],
      );
    });

    it('reads page by page', async () => {
      const { database, operationId } = fixture;
      const createdAt = new Date(Date.now() - 120 * SECOND_MS);
      const of = { operationId, type: 'deposit.paid', objectVersion: 2, bodySealed: Buffer.of(1), createdAt };
      await database.event.createMany({
        data: Array.from({ length: 1_001 }, (_, index) => ({
          ...{ ...of, id: newId('event'), objectId: newId('deposit') },
          sequence: BigInt(1_000_000 + index),
        })),
      });
      assert.equal((await check()).resumed, 1_001);
      assert.equal(new Set(started.map(({ eventId }) => eventId)).size, 1_001);
    });
  });
});
