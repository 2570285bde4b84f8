// Statements of a provider against the books, on PostgreSQL: what does not match is an item, and closes by itself.
import assert from 'node:assert/strict';
import { BANK_MOVEMENT_KINDS } from '../../../domain/bank-movements.js';
import type { BankMovementKind } from '../../../domain/bank-movements.js';
import type { BookedMovement, DatedLine } from '../../../domain/statement-matching.js';
import { moveCash } from '../../../store/ledger/cash-movements.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { readStatementDay } from '../../../store/statements/days.js';
import { compareStatements, explainItem, readItems } from '../../../store/statements/items.js';
import { insertLines } from '../../../store/statements/lines.js';
import { inTransaction } from '../../../store/transactions.js';
import { compareAccount } from '../../../activities/account-sweep/sweep-page.js';
import type { ProviderRegistry } from '../../../providers/port.js';
import { plantOperation, type Planted } from './planted.js';

const DAY = '2026-11-20';
/** Noon in Brasília. */
const NOON = `${DAY}T15:00:00.000Z`;

describe('statements compared with the books', () => {
  let planted: Planted;
  /** With the rights of the workers, which compare each hour. */
  let workers: Database;
  let numbers = 0;
  before(async () => {
    planted = await plantOperation();
    const url = planted.testDatabase.urlOfRole('gateway_payments');
    workers = createDatabase({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
  });
  after(async () => {
    await workers?.$disconnect();
    await planted.close();
  });
  // An account of its own for each test: a database is dear.
  let account: 'a' | `a.${string}`;
  beforeEach(() => {
    account = `a.t${(numbers += 1)}`;
  });

  const e2e = (number: number) => `E${String(number).padStart(31, '0')}`;
  const line = (kind: BankMovementKind, id: string | null, amount = 5_000n, day = DAY): DatedLine => ({
    id: `line-${(numbers += 1)}`,
    day,
    kind,
    amountMinor: amount,
    settledAt: `${day}T15:00:00.000Z`,
    endToEndId: id,
    returnId: null,
  });
  /** A movement, and what the account holds after it. */
  const book = async (one: Omit<BookedMovement, 'document' | 'operationId'>, recordedAt = one.settledAt) => {
    const { operationId, database } = planted;
    await database.bankMovement.create({
      data: {
        account,
        kind: one.kind,
        bankId: one.bankId,
        part: one.part,
        operationId,
        objectId: one.subject,
        step: `step-${(numbers += 1)}`,
        currency: 'BRL',
        amountMinor: one.amountMinor.toString(),
        settledAt: one.settledAt,
        saidBy: 'provider',
        recordedAt,
      },
    });
    const clearing = { operationId, provider: account, currency: 'BRL', account: 'provider_clearing' };
    const change = (-one.amountMinor * BigInt(BANK_MOVEMENT_KINDS[one.kind])).toString();
    await database.ledgerAccount.upsert({
      where: { operationId_provider_currency_account: clearing },
      create: { ...clearing, balanceMinor: change },
      update: { balanceMinor: { increment: change } },
    });
  };
  const received = (id: string, settledAt = NOON) =>
    book({ kind: 'received', bankId: id, part: '', returnId: null, amountMinor: 5_000n, settledAt, subject: 'dep_1' });
  const imported = (lines: readonly DatedLine[], day = DAY) =>
    inTransaction(planted.database, async (transaction) => {
      const of = { provider: account, day } as const;
      assert.equal((await insertLines(transaction, of, lines)).changed, null);
      return compareStatements(transaction, account, { day }, 'ana');
    });
  const comparedAgain = (since: string) =>
    inTransaction(workers, (transaction) => compareStatements(transaction, account, { since }, 'gateway'));
  const open = async () =>
    (await readItems(planted.database, account, { all: false, take: 100, now: new Date(NOON) })).map(
      ({ comparison, kind, reference, statement, ledger }) => [comparison, kind, reference, statement, ledger],
    );
  const alerts = async () =>
    (
      await planted.database.alert.findMany({
        where: { kind: 'STATEMENT_DIFFERS', resolvedAt: null, objectId: { startsWith: `${account}:` } },
      })
    ).map(({ id, objectId }) => ({ id, day: objectId?.split(':')[1] }));

  it('each difference is an item; a later statement and a later booking close them, and the alert ends', async () => {
    await received(e2e(1));
    await received(e2e(2));
    assert.deepEqual(
      await imported([line('received', e2e(2), 4_999n), line('received', e2e(3)), line('fee', null, 990n)]),
      { opened: 4, closed: 0 },
    );
    const [fee, ...rest] = (await open()).sort();
    assert.deepEqual(rest, [
      ['missing_here', 'fee', `line-${numbers}`, '990', null],
      ['missing_here', 'received', e2e(3), '5000', null],
      ['missing_there', 'received', e2e(1), null, '5000'],
    ]);
    assert.deepEqual(fee, ['amount_differs', 'received', e2e(2), '4999', '5000']);
    const shown = await readStatementDay(planted.database, { provider: account, day: DAY }, null);
    assert.deepEqual(
      [shown?.matched, shown?.missing_here, shown?.missing_there, shown?.amount_differs, shown?.ok],
      [0, 2, 1, 1, false],
    );
    // The bank corrects its statement with the next one, and has the first payment on that day.
    await imported([line('received', e2e(1), 5_000n, '2026-11-21')], '2026-11-21');
    await received(e2e(3), NOON);
    assert.deepEqual(await comparedAgain('2026-11-20T00:00:00Z'), { opened: 0, closed: 1 });
    assert.deepEqual((await open()).map(([comparison]) => comparison).sort(), ['amount_differs', 'missing_here']);
  });

  it('a day without a statement between two others is missing, until it is imported', async () => {
    await received(e2e(20), '2026-11-21T15:00:00Z');
    await imported([line('transfer_in', null)], '2026-11-20');
    assert.equal((await open()).length, 1);
    await imported([line('transfer_in', null, 1n, '2026-11-22')], '2026-11-22');
    assert.deepEqual((await alerts()).map(({ day }) => day).sort(), ['2026-11-20', '2026-11-21', '2026-11-22']);
    await imported([line('received', e2e(20), 5_000n, '2026-11-21')], '2026-11-21');
    assert.deepEqual((await alerts()).map(({ day }) => day).sort(), ['2026-11-20', '2026-11-22']);
  });

  it('at the edge of the imported days a movement waits for the day beside', async () => {
    // 23:30 in Brasília.
    await received(e2e(30), '2026-11-21T02:30:00.000Z');
    const edge = line('received', e2e(31));
    await received(e2e(31));
    await imported([edge]);
    assert.deepEqual([await open(), await alerts()], [[], []]);
    const shown = async () => readStatementDay(planted.database, { provider: account, day: DAY }, null);
    assert.deepEqual([(await shown())?.undecided, (await shown())?.ok], [1, true]);
    await imported([line('received', e2e(32), 1n, '2026-11-21')], '2026-11-21');
    assert.deepEqual([(await shown())?.undecided, (await shown())?.missing_there], [0, 1]);
  });

  it('two people explain what stays; a new difference of the day is not hidden behind it', async () => {
    await imported([line('fee', null, 990n)]);
    const [first] = await alerts();
    const [item] = await readItems(planted.database, account, { all: false, take: 1, now: new Date() });
    assert.ok(item !== undefined && first !== undefined);
    const explain = () =>
      inTransaction(planted.database, (transaction) =>
        explainItem(transaction, { item: item.id, reason: 'given back' }, { requestedBy: 'ana', approval: null }),
      );
    assert.equal((await explain()).kind, 'done');
    assert.equal((await explain()).kind, 'item_not_open');
    assert.deepEqual([await open(), await alerts()], [[], []]);
    await imported([line('received', e2e(40))]);
    const [second] = await alerts();
    assert.equal((await readItems(planted.database, account, { all: true, take: 9, now: new Date() })).length, 2);
    await imported([line('received', e2e(41))]);
    const [third] = await alerts();
    assert.equal(new Set([first.id, second?.id, third?.id]).size, 3, 'each raises the alert anew');
    const shown = await readStatementDay(planted.database, { provider: account, day: DAY }, null);
    assert.deepEqual([shown?.missing_here, shown?.resolved, shown?.ok], [2, 1, false]);
  });

  it('money that people entered is found by its document, also of a charge of the bank', async () => {
    const order = { operationId: planted.operationId, amount: { amount: '990', currency: 'BRL' }, reason: 'fees' };
    await planted.database.accountOwner.create({ data: { account, operationId: planted.operationId } });
    const people = { requestedBy: 'ana', approval: null };
    const move = (kind: 'funding' | 'settlement', document: string) =>
      inTransaction(planted.database, (transaction) =>
        moveCash(transaction, { ...order, kind, document, provider: account, to: null }, people),
      );
    const [paidIn, charge] = [line('transfer_in', null, 990n), line('fee', null, 990n)];
    assert.equal((await move('funding', paidIn.id)).kind, 'done');
    assert.equal((await move('settlement', charge.id)).kind, 'done');
    await imported([paidIn, charge]);
    assert.deepEqual(await open(), []);
  });

  it('a line is imported once; a different one is reported, and the same comparison is no new revision', async () => {
    const [first, second] = [line('received', e2e(50)), line('sent', e2e(51))] as const;
    await imported([first, second]);
    await imported([first, second]);
    const of = { provider: account, day: DAY } as const;
    assert.equal((await readStatementDay(planted.database, of, null))?.revision, 1);
    for (const [change, day] of [
      [{ amountMinor: 5_001n }, DAY],
      [{ endToEndId: null }, DAY],
      [{ returnId: `D${'0'.repeat(31)}` }, DAY],
      [{ kind: 'sent' }, DAY],
      [{}, '2026-11-21'],
    ] as const) {
      const again = { ...first, ...change };
      const { changed } = await inTransaction(planted.database, (transaction) =>
        insertLines(transaction, { provider: account, day }, [again]),
      );
      assert.deepEqual(changed, { id: first.id, day: DAY });
    }
  });

  it('a return is named by its id alone', async () => {
    const deposit = await planted.payment('deposit');
    const returned = { kind: 'returned_to_payer', amountMinor: 5_000n, settledAt: NOON, subject: deposit } as const;
    const [noted, own] = [`D${'1'.repeat(31)}`, `D${'2'.repeat(31)}`];
    await book({ ...returned, bankId: e2e(60), part: 'the reference of ours', returnId: null });
    await book({ ...returned, bankId: e2e(60), part: own, returnId: null });
    await planted.database.returnId.create({
      data: { returnId: noted, depositId: deposit, reference: 'the reference of ours' },
    });
    const lineOf = (returnId: string) => ({ ...line('returned_to_payer', null), returnId });
    await imported([lineOf(noted), lineOf(own)]);
    assert.deepEqual(await open(), []);
    assert.deepEqual(await comparedAgain('2026-11-01T00:00:00Z'), { opened: 0, closed: 0 });
  });

  describe('the balance that the provider states', () => {
    /** Half past four in Brasília: it is read, and an hour later compared. */
    const read = async (day: number, statedMinor: bigint) => {
      const provider = {
        readBalance: async () => ({ kind: 'balance', availableMinor: statedMinor - 300n, blockedMinor: 300n }),
      };
      const providers = (() => provider) as unknown as ProviderRegistry;
      for (const time of ['07:30', '07:45', '08:31'])
        await compareAccount(
          { database: workers, providers },
          { provider: account, at: `2026-12-${day}T${time}:00.000Z`, last: null },
        );
    };
    const differing = async () => {
      const where = { kind: 'BALANCE_DIFFERS', objectId: account, resolvedAt: null };
      const [alert] = await planted.database.alert.findMany({ where });
      return [await open(), alert?.detail.replace(/ at .*/, '') ?? null];
    };
    const explain = async () => {
      const [item] = await readItems(planted.database, account, { all: false, take: 1, now: new Date() });
      await inTransaction(planted.database, (transaction) =>
        explainItem(transaction, { item: item!.id, reason: 'own money' }, { requestedBy: 'ana', approval: null }),
      );
    };

    it('is compared with the books of that moment; a difference of two days is told, explained once, and ends', async () => {
      await read(10, 1_000n);
      await received(e2e(70), '2026-12-10T20:00:00Z');
      await read(11, 6_000n);
      assert.deepEqual(await differing(), [[], null], 'what was there before the first movement');
      await read(12, 6_001n);
      assert.deepEqual(await differing(), [[], null], 'once');
      await read(13, 6_001n);
      const text = `provider ${account}: the account had R$ 60,01 and the books R$ 60,00`;
      assert.deepEqual(await differing(), [[['balance_differs', null, account, '6001', '6000']], text]);
      await explain();
      await received(e2e(71), '2026-12-13T20:00:00Z');
      await read(14, 11_001n);
      assert.deepEqual(await differing(), [[], null], 'two people know of it');
      for (const day of [15, 16]) await read(day, 11_003n);
      const [items] = await differing();
      assert.deepEqual(items, [['balance_differs', null, account, '11003', '11000']], 'another one is new');
      await read(17, 11_000n);
      assert.deepEqual(await differing(), [[], null]);
    });

    it('may have what was under way: a payment of that minute, a payout that was sent and not paid', async () => {
      await read(10, 0n);
      await received(e2e(72), '2026-12-11T07:31:00Z');
      const payout = await planted.payment('withdrawal');
      await planted.database.withdrawal.update({
        where: { id: payout },
        data: { status: 'processing', provider: account },
      });
      const sentAt = '2026-12-11T07:00:00Z';
      await planted.database.payoutSend.create({
        data: {
          withdrawalId: payout,
          reference: payout,
          state: 'known',
          clearedAt: sentAt,
          attempt: 'a',
          claimedAt: sentAt,
        },
      });
      const bounds = async () => {
        const [row] = await planted.database.accountBalance.findMany({
          where: { provider: account },
          orderBy: { readAt: 'desc' },
        });
        return [row?.lowMinor, row?.ledgerMinor, row?.highMinor].map(String);
      };
      await read(11, 0n);
      assert.deepEqual(await bounds(), ['-5000', '0', '5000']);
      await planted.database.withdrawal.update({ where: { id: payout }, data: { status: 'paid' } });
      const paid = { kind: 'sent', bankId: e2e(73), part: '', returnId: null, amountMinor: 5_000n } as const;
      await book({ ...paid, settledAt: '2026-12-11T12:00:00Z', subject: payout });
      await read(12, 0n);
      assert.deepEqual(await bounds(), ['0', '0', '0']);
    });
  });
});
