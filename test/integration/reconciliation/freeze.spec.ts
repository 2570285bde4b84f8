// Freezing closed days in real Postgres: exactly once, in order, and nothing settled is ever left out.
import assert from 'node:assert/strict';
import { isReconciliationOrdered, reconciliationDigest, reconciliationTotals } from '../../../client/index.js';
import { newId } from '../../../domain/identifiers.js';
import { lastClosedDay } from '../../../domain/reconciliation.js';
import { booksToFreeze, freezeDays } from '../../../store/reconciliation/freeze.js';
import { readDay, readExceptions, readItems } from '../../../store/reconciliation/days.js';
import { type Planted, plantOperation } from './planted.js';

const DAY = '2025-11-20';
/** D+1 02:00 UTC: the moment at which DAY is closed. */
const CLOSED = new Date('2025-11-21T02:00:00.000Z');
const LATER = new Date('2025-12-24T12:00:00.000Z');

describe('freezing closed days', () => {
  let planted: Planted;
  beforeEach(async () => {
    planted = await plantOperation();
  });
  afterEach(() => planted.close());

  const freeze = (day = DAY, at = CLOSED) => freezeDays(planted.database, planted.book, day, at);
  const items = (day = DAY) => readItems(planted.database, planted.book, day, 0, 1_000);
  async function frozen(day = DAY, at = LATER) {
    const read = await readDay(planted.database, planted.book, day, at);
    if (read.kind !== 'frozen') throw new Error(`${day} is ${read.kind}`);
    return read.day;
  }

  it('an item for every kind, with its external_id, status, amount, fee and time; digest and totals are those of the items', async () => {
    const deposit = await planted.payment('deposit');
    const reviewed = await planted.payment('deposit');
    const withdrawal = await planted.payment('withdrawal');
    await planted.move(deposit, 'deposit_credited', `${DAY}T00:00:00.000Z`, 10n ** 37n);
    await planted.move(deposit, 'deposit_charged_back', `${DAY}T23:59:59.999Z`, 10n ** 37n);
    await planted.move(reviewed, 'deposit_held', `${DAY}T01:00:00.000Z`);
    await planted.move(reviewed, 'deposit_released', `${DAY}T02:00:00.120Z`);
    await planted.move(reviewed, 'deposit_refunded', `${DAY}T03:00:00.000Z`);
    await planted.move(withdrawal, 'withdrawal_reserved', `${DAY}T04:00:00.000Z`);
    await planted.move(withdrawal, 'withdrawal_paid', `${DAY}T05:00:00.000Z`);
    await planted.feeOfLast(withdrawal, `${DAY}T05:00:00.000Z`, 35n);
    // Told when the deposit was settled long before.
    await planted.move(reviewed, 'fee_apart', `${DAY}T07:00:00.000Z`, 85n);
    await planted.move(withdrawal, 'withdrawal_returned', `${DAY}T06:00:00.000Z`);
    const [parted, backInPart] = [await planted.payment('deposit'), await planted.payment('withdrawal')];
    await planted.move(parted, 'deposit_refunded_in_part', `${DAY}T08:00:00.000Z`, 40n);
    await planted.move(parted, 'deposit_charged_back_in_part', `${DAY}T08:00:00.001Z`, 60n);
    await planted.move(backInPart, 'withdrawal_returned_in_part', `${DAY}T08:00:00.000Z`, 30n);
    for (const [movement, at] of [
      ['deposit_credited', '2025-11-19T23:59:59.999Z'],
      ['deposit_credited', '2025-11-21T00:00:00.000Z'],
    ] as const)
      await planted.move(await planted.payment('deposit'), movement, at);

    const list = await items();
    assert.equal(list.length, 0, 'nothing is frozen by itself');
    await freeze();
    const day = await frozen();
    const now = await items();
    const found = new Map(now.map((item) => [`${item.object_id} ${item.kind}`, item]));
    const expected = [
      [deposit, 'deposit', 'paid', '1' + '0'.repeat(37), `${DAY}T00:00:00.000Z`, null],
      [deposit, 'chargeback', 'chargeback', '1' + '0'.repeat(37), `${DAY}T23:59:59.999Z`, null],
      [reviewed, 'deposit', 'paid', '5000', `${DAY}T02:00:00.120Z`, null],
      [reviewed, 'refund', 'refunded', '5000', `${DAY}T03:00:00.000Z`, null],
      [reviewed, 'fee', 'charged', '85', `${DAY}T07:00:00.000Z`, null],
      [withdrawal, 'withdrawal', 'paid', '5000', `${DAY}T05:00:00.000Z`, '35'],
      [withdrawal, 'return', 'returned', '5000', `${DAY}T06:00:00.000Z`, null],
      // Parts: the payment is still paid.
      [parted, 'refund', 'paid', '40', `${DAY}T08:00:00.000Z`, null],
      [parted, 'chargeback', 'paid', '60', `${DAY}T08:00:00.001Z`, null],
      [backInPart, 'return', 'paid', '30', `${DAY}T08:00:00.000Z`, null],
    ] as const;
    for (const [id, kind, status, amount, settledAt, fee] of expected) {
      assert.deepEqual(found.get(`${id} ${kind}`), {
        object_id: id,
        external_id: `ext-${id}`,
        kind,
        status,
        amount: { amount, currency: 'BRL' },
        fee: fee === null ? null : { amount: fee, currency: 'BRL' },
        settled_at: settledAt,
      });
    }
    assert.equal(now.length, expected.length);
    assert.ok(isReconciliationOrdered(now));
    assert.equal(day.digest, reconciliationDigest(now));
    const totals = reconciliationTotals(now, 'BRL');
    assert.deepEqual(
      [
        day.totals.depositsPaidMinor,
        day.totals.withdrawalsPaidMinor,
        day.totals.refundsMinor,
        day.totals.chargebacksMinor,
        day.totals.feesMinor,
        day.totals.count,
      ].map(String),
      [totals.deposits_paid, totals.withdrawals_paid, totals.refunds, totals.chargebacks, totals.fees]
        .map(({ amount }) => amount)
        .concat(String(totals.count)),
    );
    assert.equal(day.totals.feesMinor, 120n);
  });

  it('is refused while the day is open, to the millisecond', async () => {
    await planted.paidDeposit(`${DAY}T10:00:00Z`);
    assert.equal((await freeze(DAY, new Date('2025-11-21T01:59:59.999Z'))).kind, 'day_open');
    assert.deepEqual(await planted.database.reconciliationDay.count(), 0);
    assert.equal((await freeze(DAY, CLOSED)).kind, 'frozen');
  });

  it('is refused by the database’s clock too, whatever the caller’s says', async () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const day of [today, '2999-01-01'])
      assert.deepEqual(await freeze(day, new Date('2999-12-31T00:00:00.000Z')), { kind: 'day_open' }, day);
    assert.equal(
      (await readDay(planted.database, planted.book, today, new Date('2999-12-31T00:00:00.000Z'))).kind,
      'day_open',
    );
    assert.equal(await planted.database.reconciliationDay.count(), 0);
    assert.equal((await freeze(lastClosedDay(new Date()), new Date())).kind, 'frozen');
  });

  it('twice is once; what is stored afterwards is carried into the next day, flagged, never lost or reported twice', async () => {
    const early = await planted.paidDeposit(`${DAY}T10:00:00Z`);
    const nextDay = await planted.paidDeposit('2025-11-21T00:30:00Z');
    await freeze();
    const before = await frozen();
    const late = await planted.paidDeposit(`${DAY}T11:00:00Z`);
    assert.deepEqual(await freeze(), { kind: 'frozen', days: 0, throughDay: DAY, caughtUp: true });
    assert.deepEqual(await frozen(), before);
    assert.deepEqual(
      (await items()).map(({ object_id }) => object_id),
      [early],
    );

    await freeze('2025-11-21', LATER);
    assert.deepEqual(new Set((await items('2025-11-21')).map(({ object_id }) => object_id)), new Set([late, nextDay]));
    assert.equal((await frozen('2025-11-21')).carriedCount, 1);
    const [exception, ...others] = await readExceptions(planted.database, planted.book, '2025-11-21', 10);
    assert.deepEqual(
      [exception?.kind, exception?.objectId, exception?.at.toISOString(), others.length],
      ['carried_over', late, `${DAY}T11:00:00.000Z`, 0],
    );
    await freeze('2025-11-22', LATER);
    assert.equal((await items('2025-11-22')).length, 0);
  });

  it('midnight belongs to the day that begins: the last millisecond before it to the day that ends', async () => {
    const last = await planted.paidDeposit(`${DAY}T23:59:59.999Z`);
    const first = await planted.paidDeposit('2025-11-21T00:00:00.000Z');
    const ids = async (day: string) => (await items(day)).map(({ object_id }) => object_id);
    await freeze();
    assert.deepEqual([await ids(DAY), await ids('2025-11-21')], [[last], []]);
    await freeze('2025-11-21', new Date('2025-11-22T02:00:00.000Z'));
    assert.deepEqual([await ids(DAY), await ids('2025-11-21')], [[last], [first]]);
  });

  it('missed days are caught up in order, a bounded number at a time', async () => {
    await planted.paidDeposit('2025-11-03T10:00:00Z');
    await planted.paidDeposit('2025-12-20T10:00:00Z');
    assert.deepEqual(await freeze('2025-12-22', LATER), {
      kind: 'frozen',
      days: 31,
      throughDay: '2025-12-01',
      caughtUp: false,
    });
    assert.deepEqual(await freeze('2025-12-22', LATER), {
      kind: 'frozen',
      days: 21,
      throughDay: '2025-12-22',
      caughtUp: true,
    });
    const days = await planted.database.reconciliationDay.findMany({ orderBy: { date: 'asc' } });
    assert.deepEqual(
      [days.length, days[0]?.date.toISOString().slice(0, 10), days.filter(({ itemCount }) => itemCount > 0).length],
      [52, '2025-11-01', 2],
    );
  });

  it('a read of a closed day that was not frozen freezes it: both answers are one', async () => {
    await planted.paidDeposit(`${DAY}T10:00:00Z`);
    const first = await frozen(DAY, CLOSED);
    await planted.paidDeposit(`${DAY}T12:00:00Z`);
    assert.deepEqual(await frozen(DAY, LATER), first);
    assert.equal(first.totals.count, 1);
    assert.equal((await readDay(planted.database, planted.book, '2025-11-21', CLOSED)).kind, 'day_open');
  });

  it('a day before the operation was made is empty for ever; a day without movement is frozen empty', async () => {
    const before = await frozen('2025-10-31');
    assert.deepEqual([before.totals.count, before.digest, before.frozenAt], [0, reconciliationDigest([]), null]);
    const quiet = await frozen('2025-11-05');
    assert.deepEqual([quiet.totals.count, quiet.digest], [0, reconciliationDigest([])]);
    assert.ok(Math.abs(Date.now() - (quiet.frozenAt?.getTime() ?? 0)) < 60_000);
  });

  it('a movement that commits while the day is being frozen is in that day or in the next, never in none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const day = `2025-11-${String(10 + round)}`;
      const at = new Date(`2025-11-${String(11 + round)}T02:00:00Z`);
      await Promise.all([
        ...Array.from({ length: 8 }, () => planted.paidDeposit(`${day}T10:00:00Z`)),
        freeze(day, at),
        frozen(day, at),
      ]);
    }
    await freeze('2025-11-15', LATER);
    assert.equal(await planted.database.reconciliationItem.count(), 40);
  });

  it('frozen rows cannot be changed or removed', async () => {
    await planted.paidDeposit(`${DAY}T10:00:00Z`);
    await freeze();
    const { database } = planted;
    for (const change of [
      () => database.$executeRaw`UPDATE reconciliation_item SET body = '{}'`,
      () => database.$executeRaw`DELETE FROM reconciliation_item`,
      () => database.$executeRaw`UPDATE reconciliation_day SET digest = repeat('0', 64)`,
      () => database.$executeRaw`DELETE FROM reconciliation_day`,
    ])
      await assert.rejects(change, /append-only/);
  });

  it('a late payment is an exception of its day, not an item', async () => {
    const id = await planted.payment('deposit');
    await planted.move(id, 'late_payment_received', `${DAY}T10:00:00Z`, 700n);
    await freeze();
    assert.equal((await items()).length, 0);
    const exceptions = await readExceptions(planted.database, planted.book, DAY, 10);
    assert.deepEqual(
      exceptions.map(({ kind, objectId, externalId, amountMinor }) => [kind, objectId, externalId, amountMinor]),
      [['late_payment', id, `ext-${id}`, 700n]],
    );
    assert.deepEqual(await readExceptions(planted.database, planted.book, '2025-11-21', 10), []);
  });

  it('lists the books that have a day to freeze: made by then, and not frozen yet', async () => {
    const { database, operationId } = planted;
    const young = newId('operation');
    await database.operation.create({
      data: {
        id: young,
        name: 'young',
        environment: 'sandbox',
        provider: 'simulator',
        createdAt: '2025-11-21T00:00:00.000Z',
      },
    });
    const books = (at: Date) =>
      booksToFreeze(database, ['BRL'], at, null, 10).then((list) => list.map((book) => book.operationId));
    assert.deepEqual(await books(CLOSED), [operationId]);
    await freeze();
    assert.deepEqual(await books(CLOSED), []);
    assert.deepEqual(new Set(await books(new Date('2025-11-22T02:00:00Z'))), new Set([operationId, young]));
    assert.equal(
      (
        await booksToFreeze(
          database,
          ['BRL'],
          LATER,
          { operationId: [operationId, young].sort()[0] ?? '', currency: 'BRL' },
          10,
        )
      ).length,
      1,
    );
  });

  it('one operation’s day holds nothing of another’s', async () => {
    const other = await plantOperation();
    try {
      await planted.paidDeposit(`${DAY}T10:00:00Z`);
      const foreign = newId('operation');
      await planted.database.operation.create({
        data: {
          id: foreign,
          name: 'foreign',
          environment: 'sandbox',
          provider: 'simulator',
          createdAt: '2025-11-01T00:00:00.000Z',
        },
      });
      const read = await readDay(planted.database, { operationId: foreign, currency: 'BRL' }, DAY, CLOSED);
      assert.ok(read.kind === 'frozen' && read.day.totals.count === 0);
    } finally {
      await other.close();
    }
  });

  it('finds the day and the late entries by index, however long the history', async () => {
    const { database, operationId } = planted;
    await database.$executeRaw`
      INSERT INTO ledger_entry (provider, operation_id, object_id, step, movement, currency, account, amount_minor,
        created_at)
      SELECT 'simulator', CASE WHEN n % 25 = 0 THEN ${operationId}
      ELSE 'op_' || n % 25 END, 'dep_' || n, '1', 'deposit_credited', 'BRL', 'available', 100,
      '2025-11-01'::timestamptz + n * interval '30 seconds' FROM generate_series(1, 50000) AS n`;
    await database.$executeRaw`ANALYZE ledger_entry`;
    await freeze('2025-11-10', LATER);
    const started = performance.now();
    await freeze('2025-11-11', LATER);
    assert.ok(performance.now() - started < 1_000);
    const settles =
      `((account = 'available' AND movement IN ('deposit_credited', 'deposit_released', ` +
      `'deposit_refunded', 'deposit_refunded_in_part', 'deposit_charged_back', 'deposit_charged_back_in_part', ` +
      `'withdrawal_returned', 'withdrawal_returned_in_part', 'fee_apart')) ` +
      `OR (account = 'pending_out' AND movement = 'withdrawal_paid'))`;
    const mine = `operation_id = '${operationId}' AND currency = 'BRL' AND ${settles}`;
    const queries = [
      [
        `SELECT id FROM ledger_entry WHERE ${mine} AND created_at >= '2025-11-12' AND created_at < '2025-11-13'`,
        /ledger_entry_settled_by_day/,
      ],
      // Whichever index is the cheaper one: never the whole history.
      [
        `SELECT id FROM ledger_entry WHERE ${mine} AND id > 49000 AND created_at < '2025-11-12'`,
        /ledger_entry_(settled_in_order|pkey).*Index Cond: .*id > 49000/s,
      ],
      [
        `SELECT max(id) FROM ledger_entry WHERE ${mine}`,
        /Limit.*Index Scan Backward using ledger_entry_(settled_in_order|pkey)/s,
      ],
    ] as const;
    for (const [query, expected] of queries) {
      const plan = await database.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${query}`);
      assert.match(plan.map((line) => line['QUERY PLAN']).join('\n'), expected);
    }
  });
});
