// Transitions in a real PostgreSQL: all or nothing, once, and in an order that readers can rely on.
import assert from 'node:assert/strict';
import pino from 'pino';
import { createDepositStore } from '../../../activities/payments/deposits.js';
import { raiseAlert } from '../../../activities/alerts.js';
import { createWithdrawalStore } from '../../../activities/payments/withdrawals.js';
import type { DepositTransitionInput } from '../../../contract/temporal/transitions.js';
import type { DepositSnapshot } from '../../../domain/deposit.js';
import { newId } from '../../../domain/identifiers.js';
import {
  AT,
  balances,
  bornWithdrawal,
  createdDeposit,
  depositOrder,
  openStore,
  payment,
  type StoreFixture,
  withdrawalOrder,
} from './fixtures.js';

/** The clock of a second try. */
const LATER = new Date(Date.parse(AT) + 4_000).toISOString();

const PLAIN = { event: null, movement: null, alert: null, resolves: [], sealedPayer: null } as const;

async function fund(fixture: StoreFixture, times: number): Promise<void> {
  const store = createDepositStore(fixture.database, fixture.sealer);
  for (let count = 0; count < times; count += 1) {
    const order = depositOrder(fixture);
    await store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null });
    await store.storeDeposit(payment(fixture, createdDeposit(order)));
  }
}

describe('store: deposits', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await openStore();
  });
  afterEach(() => fixture.close());

  it('admits a deposit once: a repeat of the same admission changes nothing', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const order = depositOrder(fixture);
    const input = { order, deposit: createdDeposit(order), playerRevision: null };
    assert.deepEqual(await store.admitDeposit(input), { kind: 'admitted', found: null });
    const later = { ...input.deposit, createdAt: LATER, updatedAt: LATER };
    assert.deepEqual(await store.admitDeposit({ ...input, deposit: later }), {
      kind: 'admitted',
      found: { deposit: input.deposit, sealedPayer: null, events: [] },
    });
    assert.equal(await fixture.database.deposit.count(), 1);
  });

  it('of 40 admissions with one external_id exactly one wins, and the others name it', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const orders = Array.from({ length: 40 }, () => depositOrder(fixture, { externalId: 'order-1' }));
    const results = await Promise.all(
      orders.map((order) => store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null })),
    );
    const [row] = await fixture.database.deposit.findMany();
    assert.equal(results.filter(({ kind }) => kind === 'admitted').length, 1);
    assert.ok(
      results.every(
        (result) => result.kind === 'admitted' || (result.kind === 'duplicate' && result.existingId === row?.id),
      ),
    );
  });

  it('fixes the player’s document at first use', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const first = depositOrder(fixture);
    await store.admitDeposit({ order: first, deposit: createdDeposit(first), playerRevision: null });
    const other = depositOrder(fixture, { document: '11144477735' });
    assert.deepEqual(await store.admitDeposit({ order: other, deposit: createdDeposit(other), playerRevision: null }), {
      kind: 'document_mismatch',
    });
    assert.equal(await fixture.database.deposit.count(), 1);
  });

  it('resolves the alerts of its own deposit and of the kinds that it names, and no others', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const [mine, other] = [depositOrder(fixture), depositOrder(fixture)];
    for (const order of [mine, other])
      await store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null });
    const raise = (kind: 'CHARGE_UNANSWERED' | 'LATE_PAYMENT', objectId: string) =>
      raiseAlert(fixture.database, pino({ level: 'silent' }), {
        kind,
        detail: 'x',
        occasion: null,
        operationId: fixture.operationId,
        objectId,
        at: AT,
      });
    for (const { depositId } of [mine, other])
      for (const kind of ['CHARGE_UNANSWERED', 'LATE_PAYMENT'] as const) await raise(kind, depositId);
    await store.storeDeposit({ ...payment(fixture, createdDeposit(mine)), resolves: ['CHARGE_UNANSWERED'] });
    const resolved = await fixture.database.alert.findMany({ where: { resolvedAt: { not: null } } });
    assert.deepEqual(
      resolved.map(({ kind, objectId }) => [kind, objectId]),
      [['CHARGE_UNANSWERED', mine.depositId]],
    );
    assert.equal(await fixture.database.alert.count(), 4);
  });

  it('stores row, event and both ledger entries together, and a repeat adds none', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const order = depositOrder(fixture);
    await store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null });
    const input = payment(fixture, createdDeposit(order));
    assert.equal(await store.storeDeposit(input), 'stored');
    const found = await store.storeDeposit({
      ...input,
      deposit: { ...input.deposit, updatedAt: LATER },
      event: { id: newId('event'), type: 'deposit.paid' },
    });
    assert.deepEqual(found, { deposit: input.deposit, sealedPayer: input.sealedPayer, events: [input.event] });
    const row = await fixture.database.deposit.findUniqueOrThrow({ where: { id: order.depositId } });
    assert.equal(row.status, 'paid');
    assert.equal(row.version, 2);
    assert.equal(await fixture.database.event.count(), 1);
    assert.equal(await fixture.database.ledgerEntry.count(), 2);
    assert.deepEqual(await balances(fixture), { available: '5000', provider_clearing: '-5000' });
  });

  it('refuses a version that does not follow: nothing is stored', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const order = depositOrder(fixture);
    await store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null });
    const input = payment(fixture, createdDeposit(order));
    await assert.rejects(
      store.storeDeposit({ ...input, fromVersion: 2, deposit: { ...input.deposit, version: 3 } }),
      /does not follow/,
    );
    assert.equal(await fixture.database.event.count(), 0);
    assert.equal(await fixture.database.ledgerEntry.count(), 0);
  });

  it('records a late payment beside the state, once, without version or event', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const order = depositOrder(fixture);
    const created = createdDeposit(order);
    await store.admitDeposit({ order, deposit: created, playerRevision: null });
    const expired: DepositSnapshot = { ...created, status: 'expired', version: 2 };
    await store.storeDeposit({
      ...PLAIN,
      deposit: expired,
      fromVersion: 1,
      event: { id: newId('event'), type: 'deposit.expired' },
    });
    const late = { ...expired, paidAmountMinor: '5000', paidAt: AT, endToEndId: 'E2E', latePayment: true };
    const note: DepositTransitionInput = {
      ...PLAIN,
      deposit: late,
      fromVersion: 2,
      movement: { name: 'late_payment_received', amountMinor: '5000', transferId: `${order.depositId}:late:E2E` },
      alert: { kind: 'LATE_PAYMENT', detail: 'paid while expired', occasion: 'E2E' },
    };
    await store.storeDeposit(note);
    await store.storeDeposit(note);
    assert.deepEqual(await balances(fixture), { provider_clearing: '-5000', suspense: '5000' });
    assert.equal(await fixture.database.alert.count(), 1);
    const row = await fixture.database.deposit.findUniqueOrThrow({ where: { id: order.depositId } });
    assert.deepEqual([row.status, row.version, row.latePayment], ['expired', 2, true]);
    assert.equal(await fixture.database.event.count(), 1);
  });

  it('raises an alert once of its occasion, of a condition once while it is open, and never drops another one', async () => {
    const logger = pino({ level: 'silent' });
    const about = { operationId: fixture.operationId, objectId: newId('deposit'), at: AT, detail: 'd' };
    const raise = (kind: 'EXTRA_PAYMENT' | 'CHARGE_UNANSWERED', occasion: string | null) =>
      raiseAlert(fixture.database, logger, { ...about, kind, occasion });
    const resolveAll = () =>
      fixture.database.alert.updateMany({ where: { objectId: about.objectId }, data: { resolvedAt: new Date() } });
    const count = () => fixture.database.alert.count({ where: { objectId: about.objectId } });
    for (const occasion of ['E1', 'E2', 'E1']) await raise('EXTRA_PAYMENT', occasion);
    for (const _ of [1, 2]) await raise('CHARGE_UNANSWERED', null);
    assert.equal(await count(), 3);
    await resolveAll();
    await raise('EXTRA_PAYMENT', 'E2');
    assert.equal(await count(), 3, 'the repeat of an occasion is the same alert');
    await raise('CHARGE_UNANSWERED', null);
    assert.equal(await count(), 4, 'a condition that holds again is another alert');
  });

  it('keeps the payer unreadable in the row and in the event', async () => {
    const store = createDepositStore(fixture.database, fixture.sealer);
    const order = depositOrder(fixture);
    await store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null });
    await store.storeDeposit(payment(fixture, createdDeposit(order)));
    const [row] = await fixture.database.deposit.findMany();
    const [event] = await fixture.database.event.findMany();
    const bytes = Buffer.concat(
      [row?.payerSealed, row?.requestSealed, event?.bodySealed].map((part) => Buffer.from(part ?? [])),
    );
    assert.ok(bytes.length > 0 && !bytes.includes('52998224725') && !bytes.includes('Ana'));
    const body = JSON.parse(fixture.sealer.openBytes(event?.bodySealed ?? new Uint8Array()).toString('utf8')) as {
      data: { object: { payer: { name: string } } };
    };
    assert.equal(body.data.object.payer.name, 'Ana');
  });
});

describe('store: the order of events', () => {
  it('a reader who polls while many writers commit sees every event once, in one order', async () => {
    const fixture = await openStore();
    try {
      const store = createDepositStore(fixture.database, fixture.sealer);
      const total = 120;
      const orders = Array.from({ length: total }, (_, index) =>
        depositOrder(fixture, { playerRef: `player-${index}` }),
      );
      for (const order of orders)
        await store.admitDeposit({ order, deposit: createdDeposit(order), playerRevision: null });
      let writing = true;
      const writers = Promise.all(
        orders.map((order) => store.storeDeposit(payment(fixture, createdDeposit(order)))),
      ).finally(() => {
        writing = false;
      });
      const seen: bigint[] = [];
      for (let last = 0n; writing || seen.length < total;) {
        const page = await fixture.database.event.findMany({
          where: { sequence: { gt: last } },
          orderBy: { sequence: 'asc' },
          take: 10,
          select: { sequence: true },
        });
        seen.push(...page.map(({ sequence }) => sequence));
        last = seen.at(-1) ?? 0n;
      }
      await writers;
      assert.deepEqual(
        seen,
        Array.from({ length: total }, (_, index) => BigInt(index + 1)),
      );
    } finally {
      await fixture.close();
    }
  }).timeout(30_000);
});
