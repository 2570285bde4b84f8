// A day of a provider's statement against the ledger and the payments' rows, on PostgreSQL.
import assert from 'node:assert/strict';
import type { StatementKind, StatementLine } from '../../../domain/statements.js';
import { type ComparedDay, keepComparisons, readStatementDay } from '../../../store/statements/days.js';
import { moveCash } from '../../../store/ledger/cash-movements.js';
import { insertLines } from '../../../store/statements/lines.js';
import { inTransaction } from '../../../store/transactions.js';
import { plantOperation, type Planted } from './planted.js';

const DAY = '2026-11-20';
/** Noon in Brasília. */
const NOON = `${DAY}T15:00:00.000Z`;
const OF_DAY = { provider: 'simulator', day: DAY } as const;

describe('a statement compared with the books', () => {
  let planted: Planted;
  let numbers = 0;
  beforeEach(async () => {
    planted = await plantOperation();
  });
  afterEach(() => planted.close());

  const newE2e = () => `E${String((numbers += 1)).padStart(31, '0')}`;
  const line = (kind: StatementKind, endToEndId: string | null, amount = '5000', id?: string): StatementLine => ({
    id: id ?? `line-${(numbers += 1)}`,
    kind,
    amountMinor: BigInt(amount),
    settledAt: NOON,
    endToEndId,
  });
  const compare = (lines: readonly StatementLine[], day = DAY): Promise<ComparedDay> =>
    inTransaction(planted.database, async (transaction) => {
      const of = { provider: 'simulator', day } as const;
      assert.equal((await insertLines(transaction, of, lines)).changed, null);
      return keepComparisons(transaction, of, 'ana');
    });
  const shortOf = ({ differences }: ComparedDay) =>
    differences.map(({ comparison, kind, statement, ledger, payment }) => [
      comparison,
      kind,
      statement,
      ledger,
      payment,
    ]);
  const paidDeposit = async (at = NOON, enteredMinor?: bigint, account = 'simulator') => {
    const endToEndId = newE2e();
    const id = await planted.paidDeposit(at, enteredMinor, { account, bankId: endToEndId });
    await planted.database.deposit.update({ where: { id }, data: { endToEndId, paidAt: at } });
    return { id, endToEndId };
  };
  const paidWithdrawal = async (at = NOON) => {
    const endToEndId = newE2e();
    const id = await planted.payment('withdrawal');
    await planted.database.withdrawal.update({ where: { id }, data: { pspReference: endToEndId } });
    await planted.move(id, 'withdrawal_paid', at, 5_000n, { bankId: endToEndId });
    return { id, endToEndId };
  };
  const openAlerts = () => planted.database.alert.findMany({ where: { kind: 'STATEMENT_DIFFERS', resolvedAt: null } });

  it('a day in which everything has its line agrees: paid, sent, returned both ways, late, extra, fees, transfers', async () => {
    const { deposit: deposits, withdrawal: withdrawals } = planted.database;
    const [deposit, refunded, late] = [await paidDeposit(), await paidDeposit(), await planted.payment('deposit')];
    await planted.feeOfLast(deposit.id, NOON, 85n, deposit.endToEndId);
    await deposits.update({ where: { id: deposit.id }, data: { fees: { [deposit.endToEndId]: '85' } } });
    const part = (reference: string, amountMinor: string) => ({ of: refunded.endToEndId, reference, amountMinor });
    const bankId = refunded.endToEndId;
    await planted.move(refunded.id, 'deposit_refunded_in_part', NOON, 2_000n, { bankId });
    await planted.move(refunded.id, 'deposit_refunded', NOON, 3_000n, { bankId });
    const returnedParts = [part('R1', '2000'), part('R2', '3000')];
    await deposits.update({ where: { id: refunded.id }, data: { status: 'refunded', returnedParts } });
    const lateReference = await planted.move(late, 'late_payment_received', NOON);
    await deposits.update({ where: { id: late }, data: { status: 'expired', extraPayments: [lateReference] } });
    const [sent, back] = [await paidWithdrawal(), await paidWithdrawal()];
    await planted.move(back.id, 'withdrawal_returned', NOON, 5_000n, { bankId: back.endToEndId });
    await withdrawals.update({ where: { id: back.id }, data: { status: 'returned', returnedMinor: 5_000 } });
    const compared = await compare([
      line('received', deposit.endToEndId),
      line('fee', deposit.endToEndId, '85'),
      line('received', refunded.endToEndId),
      line('returned_to_payer', refunded.endToEndId, '2000'),
      line('returned_to_payer', refunded.endToEndId, '3000'),
      line('received', lateReference),
      line('sent', sent.endToEndId),
      line('sent', back.endToEndId),
      line('returned_to_us', back.endToEndId),
    ]);
    assert.deepEqual(shortOf(compared), []);
    assert.deepEqual([compared.lines, compared.counts.matched], [9, 8]);
    assert.deepEqual(await openAlerts(), []);
  });

  it('each kind of difference is reported by its name, raises one alert, and ends with the import that settles it', async () => {
    const [unmatched, differing] = [await paidWithdrawal(), await paidDeposit()];
    const unbooked = newE2e();
    const unentered = await paidDeposit(NOON, 4_000n);
    const compared = await compare([
      line('received', unbooked, '700'),
      line('received', differing.endToEndId, '4999'),
      line('received', unentered.endToEndId),
      line('fee', null, '990', 'monthly'),
    ]);
    assert.deepEqual(shortOf(compared), [
      ['missing_here', 'fee', '990', null, null],
      ['missing_here', 'received', '700', null, null],
      ['missing_there', 'sent', null, '5000', '5000'],
      ['amount_differs', 'received', '4999', '5000', '5000'],
      ['amount_differs', 'received', '5000', '4000', '5000'],
    ]);
    const [alert, ...more] = await openAlerts();
    assert.deepEqual([alert?.objectId, alert?.operationId, more.length], [`simulator:${DAY}`, null, 0]);
    await compare([line('sent', unmatched.endToEndId)]);
    assert.deepEqual(
      (await openAlerts()).map(({ id }) => id),
      [alert?.id],
      'its age is that of the first difference',
    );
    const first = await readStatementDay(planted.database, OF_DAY, 1);
    assert.deepEqual(
      [first?.missing_there, (await readStatementDay(planted.database, OF_DAY, null))?.revision],
      [1, 2],
    );
  });

  it('a day without differences any more resolves its alert', async () => {
    const { endToEndId } = await paidDeposit();
    assert.equal((await compare([])).counts.missing_there, 1);
    assert.equal((await openAlerts()).length, 1);
    assert.equal((await compare([line('received', endToEndId)])).counts.matched, 1);
    assert.deepEqual(await openAlerts(), []);
  });

  it('matches a line with a payment that was learned of a week later', async () => {
    const { endToEndId } = await paidDeposit('2026-11-27T15:00:00.000Z');
    assert.deepEqual(shortOf(await compare([line('received', endToEndId)])), []);
    // And it is not missing in the statement of the day on which it was entered.
    assert.deepEqual(shortOf(await compare([], '2026-11-27')), []);
  });

  it('at the edge of a day a difference waits until the adjacent day is imported', async () => {
    // 00:30 and 23:30 in Brasília.
    const [early, late] = [await paidDeposit(`${DAY}T03:30:00.000Z`), await paidDeposit('2026-11-21T02:30:00.000Z')];
    assert.equal((await compare([])).counts.undecided, 2);
    await compare([line('received', early.endToEndId)], '2026-11-19');
    const last = () => readStatementDay(planted.database, OF_DAY, null);
    assert.deepEqual([(await last())?.undecided, (await last())?.missing_there], [1, 0]);
    await compare([], '2026-11-21');
    assert.deepEqual([(await last())?.undecided, (await last())?.missing_there], [0, 1]);
    await compare([line('received', late.endToEndId)], '2026-11-21');
    assert.deepEqual([(await last())?.undecided, (await last())?.missing_there], [0, 0]);
  });

  it('another provider’s payments are none of its business', async () => {
    const { id } = await paidDeposit(NOON, 5_000n, 'a');
    await planted.database.deposit.update({ where: { id }, data: { provider: 'a' } });
    assert.deepEqual((await compare([])).counts.missing_there, 0);
  });

  it('a line is imported once; a different one is reported, and the same comparison is no new revision', async () => {
    const lines = [line('received', newE2e()), line('sent', newE2e())];
    await compare(lines);
    await compare(lines);
    assert.equal((await readStatementDay(planted.database, OF_DAY, null))?.revision, 1);
    const [first] = lines;
    assert.ok(first);
    for (const [change, day] of [
      [{ amountMinor: 5_001n }, DAY],
      [{ endToEndId: null }, DAY],
      [{ kind: 'sent' }, DAY],
      [{}, '2026-11-21'],
    ] as const) {
      const again: StatementLine = { ...first, ...change };
      const { changed } = await inTransaction(planted.database, (transaction) =>
        insertLines(transaction, { provider: 'simulator', day }, [again]),
      );
      assert.deepEqual(changed, { id: first.id, day: DAY });
    }
  });

  it('money of no payment is compared by its document, where it moved, also after its operation has', async () => {
    const fund = {
      operationId: planted.book.operationId,
      kind: 'funding',
      provider: 'simulator',
      to: null,
      amount: { amount: '9000', currency: 'BRL' },
      reason: 'weekly funding',
    } as const;
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    await inTransaction(planted.database, (transaction) =>
      moveCash(transaction, { ...fund, document: 'slip-1' }, { requestedBy: 'ana', approval: null }),
    );
    await planted.database.operation.update({ where: { id: fund.operationId }, data: { provider: 'a' } });
    const lines = [line('transfer_in', null, '9000', 'slip-1'), line('transfer_out', null, '100', 'slip-2')];
    const { counts, differences } = await compare(lines, today);
    assert.equal(counts.matched, 1);
    assert.deepEqual(
      differences.map(({ comparison, reference }) => [comparison, reference]),
      [['missing_here', 'slip-2']],
    );
  });
});
