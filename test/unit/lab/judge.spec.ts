// The judge of the searcher's lives: what it finds in books, words and days of small worlds that are made by hand.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { judgeBooks } from '../../../lab/judge/books.js';
import { closedDays, judgeDays } from '../../../lab/judge/days.js';
import { ToldFacts } from '../../../lab/judge/told.js';
import { judgeTold } from '../../../lab/judge/truth.js';
import { waitsTooLong } from '../../../lab/judge/waits.js';
import type { CashAct, Row } from '../../../lab/judge/evidence.js';
import type { DayRead, OperatorRequest, ToldState } from '../../../lab/world/operator.js';
import type { ProviderBooks } from '../../../lab/world/provider.js';
import {
  OPERATION,
  REFERENCE,
  operator,
  deposit,
  type Payments,
  back,
  booksOf,
  paid,
  evidenceOf,
} from '../../support/small-world.js';

async function rulesBroken(
  books: ProviderBooks,
  row: Row,
  accounts: Readonly<Record<string, string>>,
  more: { alerts?: string[]; cash?: CashAct[]; available?: string } = {},
): Promise<string[]> {
  const alerts = (more.alerts ?? []).map((kind) => ({ kind, object_id: row.id, is_open: true }));
  const read = {
    available: more.available ?? accounts['available'] ?? '0',
    pendingIn: accounts['pending_in'] ?? '0',
    pendingOut: accounts['pending_out'] ?? '0',
  };
  const evidence = evidenceOf(books, accounts, more.cash === undefined ? {} : { cash: more.cash });
  const findings = await judgeBooks(evidence, operator, { rows: [row], alerts, read });
  return [...new Set(findings.map(({ rule }) => rule))].filter((rule) => rule !== 'of which');
}

const BOOKS = "the books are the provider's books";

describe('auditor', () => {
  it('is content with a payment that is credited', async () => {
    assert.deepEqual(await rulesBroken(booksOf([paid('E1', '1000')]), deposit(), { available: '1000' }), []);
  });

  it('finds a centavo too much, in the ledger and in what the operator is told', async () => {
    const books = booksOf([paid('E1', '1000')]);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1001' }), [
      BOOKS,
      'an operator is told its true balances',
    ]);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1000' }, { available: '999' }), [
      'an operator is told its true balances',
    ]);
  });

  it('finds an extra payment that is not in suspense', async () => {
    const books = booksOf([paid('E1', '1000'), paid('E2', '700')]);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1000', suspense: '700' }), []);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1000' }), [BOOKS]);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1700' }), [
      BOOKS,
      'an operator is told its true balances',
    ]);
  });

  it('counts what the cash box was given of an extra payment, as long as the bank has it', async () => {
    const cash: CashAct[] = [
      {
        operationId: OPERATION,
        kind: 'suspense_credited',
        amountMinor: '500',
        provider: 'simulator',
        to: null,
        of: 'E2',
      },
    ];
    const books = booksOf([paid('E1', '1000'), paid('E2', '700')]);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1500', suspense: '200' }, { cash }), []);
    assert.ok((await rulesBroken(books, deposit(), { available: '1500', suspense: '0' }, { cash })).includes(BOOKS));
    const back400 = booksOf([paid('E1', '1000'), paid('E2', '700', [back('400')])]);
    assert.deepEqual(await rulesBroken(back400, deposit(), { available: '1300' }, { cash }), []);
    assert.ok((await rulesBroken(back400, deposit(), { available: '1500' }, { cash })).includes(BOOKS));
  });

  it('finds a part that went back and is not booked, whatever alert there is', async () => {
    const books = booksOf([paid('E1', '1000', [back('400')])]);
    const alerts = ['PARTIAL_REVERSAL'];
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '600' }, { alerts }), []);
    assert.ok((await rulesBroken(books, deposit(), { available: '1000' }, { alerts })).includes(BOOKS));
    assert.ok((await rulesBroken(books, deposit(), { available: '601' }, { alerts })).includes(BOOKS));
  });

  it('finds a deposit that is still paid although all of it went back', async () => {
    const books = booksOf([paid('E1', '1000', [back('1000')])]);
    const broken = await rulesBroken(books, deposit(), { available: '1000' }, { alerts: ['PARTIAL_REVERSAL'] });
    assert.ok(broken.includes("a deposit's end is the provider's"));
  });

  it('finds a chargeback that is told as a refund, and a refund as a chargeback; parts of both may be either', async () => {
    const [refund, forced] = [back('400'), back('600', 'DEVOLVIDO', 'MED_FRAUDE')];
    const whole = { refund: [{ ...refund, amount_minor: '1000' }], forced: [{ ...forced, amount_minor: '1000' }] };
    const broken = (status: string, reversals: Payments[number]['reversals']) =>
      rulesBroken(booksOf([paid('E1', '1000', reversals)]), deposit({ status }), { available: '0' });
    const rule = ['a chargeback is told as one, a refund as one'];
    assert.deepEqual(await broken('refunded', whole.refund), []);
    assert.deepEqual(await broken('chargeback', whole.refund), rule);
    assert.deepEqual(await broken('chargeback', whole.forced), []);
    assert.deepEqual(await broken('refunded', whole.forced), rule);
    for (const status of ['refunded', 'chargeback']) assert.deepEqual(await broken(status, [refund, forced]), []);
  });

  it('finds refusals of returns that the provider was never asked for', async () => {
    const books = booksOf([paid('E1', '1000', [back('1000', 'NAO_REALIZADO')])]);
    const row = deposit({ status: 'under_review' });
    const accounts = { pending_in: '1000' };
    assert.deepEqual(await rulesBroken(books, row, accounts, { alerts: ['RETURN_REFUSED'] }), []);
    assert.deepEqual(await rulesBroken(books, row, accounts, { alerts: ['RETURN_REFUSED', 'RETURN_REFUSED'] }), [
      'a return that was refused can be made again',
    ]);
  });

  it('counts what people entered, once', async () => {
    const at = { provider: 'simulator', to: null, of: null };
    const funding = { ...at, operationId: OPERATION, kind: 'funding', amountMinor: '50' } as const;
    const books = booksOf([paid('E1', '1000')]);
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1050' }, { cash: [funding] }), []);
    assert.ok((await rulesBroken(books, deposit(), { available: '1100' }, { cash: [funding] })).includes(BOOKS));
  });

  it('finds money that the books have at another account than where it is', async () => {
    const books = booksOf([paid('E1', '1000')]);
    const moved = { ...{ provider: 'simulator', to: 'a', of: null, isSecond: false }, operationId: OPERATION };
    const cash: CashAct[] = [{ ...moved, kind: 'moved', amountMinor: '1000' }];
    assert.deepEqual(await rulesBroken(books, deposit(), { available: '1000' }, { cash }), [BOOKS]);
  });
});

describe('what operators are told', () => {
  const asked: OperatorRequest = {
    kind: 'deposit',
    externalId: 'one',
    amount: '1000',
    player: 'p',
    askedAtMs: 0,
    id: 'dep_1',
    refusedAs: null,
  };
  const told = (change: Partial<ToldState> = {}): ToldState => ({
    id: 'dep_1',
    kind: 'deposit',
    version: 3,
    status: 'paid',
    amount: '1000',
    paidAmount: '1000',
    externalId: 'one',
    player: 'p',
    by: 'read',
    ...change,
  });
  const broken = (...all: ToldState[]) => {
    const facts = new ToldFacts();
    for (const one of all) facts.hear(one, one.externalId === 'one' ? asked : undefined);
    return facts.findings.map(({ rule }) => rule);
  };

  it('may come late and out of order', () => {
    const pending = told({ version: 2, status: 'pending', paidAmount: null });
    assert.deepEqual(broken(told(), pending, told(), told({ version: 4, status: 'refunded' })), []);
  });

  it('is never contradicted, and is about what was asked for', () => {
    const expired = told({ version: 4, status: 'expired' });
    assert.deepEqual(broken(told(), expired), ['what operators were told is never contradicted']);
    assert.deepEqual(broken(told(), told({ status: 'expired' })), ['one version is one state']);
    assert.deepEqual(broken(told({ amount: '1', paidAmount: '1' })), ['a payment is what was asked for']);
    assert.deepEqual(broken(told({ player: 'other' })), ['a payment is what was asked for']);
    assert.deepEqual(broken(told({ id: 'dep_2' })), ['one request makes one payment']);
    assert.deepEqual(broken(told({ externalId: 'two' })), ['nothing is told that nobody asked for']);
    assert.deepEqual(broken(told({ paidAmount: '999' })), ['paid is paid in full']);
  });
});

describe('what operators are told of money', () => {
  const told = (kind: ToldState['kind'], status: string) =>
    ({ id: `x_${REFERENCE}`, kind, status, by: 'read' }) as ToldState;
  const [charge] = booksOf([paid('E1', '1000', [back('400')])]).charges;
  const [returned] = booksOf([paid('E1', '1000', [back('1000')])]).charges;
  const payout = (status: 'processing' | 'paid' | 'failed' | 'returned') =>
    ({ status, returns: [], sends: 1, provider: 'simulator', reference: REFERENCE, amount_minor: '1000' }) as const;

  it('has happened at the bank by then', () => {
    const isTrue = (one: ToldState, books: Parameters<typeof judgeTold>[1]) => judgeTold(one, books).length === 0;
    assert.ok(!isTrue(told('deposit', 'paid'), {}));
    assert.ok(charge !== undefined && isTrue(told('deposit', 'paid'), { charge }));
    assert.ok(!isTrue(told('deposit', 'returned'), { charge }));
    assert.ok(returned !== undefined && isTrue(told('deposit', 'returned'), { charge: returned }));
    assert.ok(!isTrue(told('withdrawal', 'paid'), { payout: payout('processing') }));
    assert.ok(isTrue(told('withdrawal', 'paid'), { payout: payout('returned') }));
    assert.ok(!isTrue(told('withdrawal', 'returned'), { payout: payout('paid') }));
    assert.ok(!isTrue(told('withdrawal', 'failed'), { payout: payout('paid') }));
    assert.ok(isTrue(told('withdrawal', 'failed'), {}));
  });
});

describe('closed days', () => {
  const item = {
    object_id: `dep_${REFERENCE}`,
    external_id: 'one',
    kind: 'deposit',
    status: 'paid',
    amount: { amount: '1000', currency: 'BRL' },
    fee: null,
    settled_at: '2026-01-05T10:00:00.000Z',
  } as const;
  const money = (amount: string) => ({ amount, currency: 'BRL' });
  function dayOf(items: readonly (typeof item)[], change: Partial<DayRead> = {}): DayRead {
    const text = items.map(
      (one) =>
        `{"amount":{"amount":"${one.amount.amount}","currency":"BRL"},"external_id":"one","fee":null,"kind":"deposit",` +
        `"object_id":"${one.object_id}","settled_at":"${one.settled_at}","status":"paid"}`,
    );
    return {
      date: '2026-01-05',
      items,
      totals: {
        deposits_paid: money(String(1000 * items.length)),
        withdrawals_paid: money('0'),
        refunds: money('0'),
        chargebacks: money('0'),
        fees: money('0'),
        count: items.length,
      },
      digest: createHash('sha256')
        .update(`[${text.join(',')}]`)
        .digest('hex'),
      isSigned: true,
      ...change,
    };
  }
  const event = {
    id: 'evt_1',
    operation_id: OPERATION,
    object_id: item.object_id,
    version: 3,
    type: 'deposit.paid',
    date: '2026-01-05',
    at_ms: 0,
  };
  const broken = (...days: DayRead[]) =>
    judgeDays(evidenceOf(booksOf([paid('E1', '1000')]), {}), operator, {
      days,
      events: [event],
      rows: [deposit()],
    }).map(({ rule }) => rule);

  it('have every change of money once', () => {
    assert.deepEqual(broken(dayOf([item])), []);
    assert.deepEqual(broken(dayOf([])), ['every change of money is on one day, once']);
    assert.deepEqual(broken(dayOf([item]), dayOf([item], { date: '2026-01-06' })), [
      'every change of money is on one day, once',
    ]);
  });

  it('have the digest of their items, and are signed', () => {
    assert.deepEqual(broken(dayOf([item], { digest: 'f'.repeat(64) })), ['the digest of a day is that of its items']);
    assert.deepEqual(broken(dayOf([item], { isSigned: false })), ['a day is signed']);
  });

  it('close two hours after their end', () => {
    const began = Date.UTC(2026, 0, 31, 22);
    assert.deepEqual(closedDays(began, Date.UTC(2026, 1, 1, 1, 59)), []);
    assert.deepEqual(closedDays(began, Date.UTC(2026, 1, 2, 2)), ['2026-01-31', '2026-02-01']);
  });
});

describe('bounds of waits', () => {
  const hours = (count: number) => count * 3_600_000;
  const waits = async (row: Row, nowMs: number) =>
    (await waitsTooLong(evidenceOf(booksOf([]), {}, { healedMs: 0, nowMs }), [row])).length;

  it('begin when the world is healthy', async () => {
    const pending = deposit({ status: 'pending', expires_ms: hours(1) });
    assert.equal(await waits(pending, hours(4)), 0);
    assert.equal(await waits(pending, hours(4.1)), 1);
    const ill = evidenceOf(booksOf([]), {}, { nowMs: hours(9) });
    assert.deepEqual(await waitsTooLong(ill, [pending]), []);
  });
});
