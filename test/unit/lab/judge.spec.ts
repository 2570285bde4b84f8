// The judge of the searcher's lives: what it finds in small worlds that are made by hand.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { judgeSaid } from '../../../lab/judge/answers.js';
import { judgeBooks } from '../../../lab/judge/books.js';
import { closedDays, judgeDays } from '../../../lab/judge/days.js';
import { judgeDoubts, judgeRules, judgeSends } from '../../../lab/judge/doubts.js';
import type { CashAct, Evidence, Row } from '../../../lab/judge/evidence.js';
import { ToldFacts } from '../../../lab/judge/told.js';
import { answersSoon, bookedSoon, movesSoon } from '../../../lab/judge/prompt.js';
import { judgeTold } from '../../../lab/judge/truth.js';
import { waitsTooLong } from '../../../lab/judge/waits.js';
import type { OperatorRequest, DayRead, Operator, ToldState } from '../../../lab/world/operator.js';
import type { ProviderBooks } from '../../../lab/world/provider.js';

const OPERATION = 'op_1';
const REFERENCE = 'a'.repeat(32);
const operator = { id: OPERATION, name: 'operator1' } as Operator;

function deposit(change: Partial<Row> = {}): Row {
  return {
    id: `dep_${REFERENCE}`,
    kind: 'deposit',
    operation_id: OPERATION,
    external_id: 'one',
    provider: 'simulator',
    status: 'paid',
    version: 3,
    amount: '1000',
    paid_amount: '1000',
    end_to_end_id: 'E1',
    is_manual: false,
    needs_two: false,
    review_since: null,
    reasons: [],
    created_ms: 0,
    changed_ms: 0,
    expires_ms: 0,
    ...change,
  };
}

type Payments = ProviderBooks['charges'][number]['payments'];
const back = (amount: string, status: 'DEVOLVIDO' | 'NAO_REALIZADO' = 'DEVOLVIDO', nature = 'ORIGINAL') => ({
  id: 'one',
  return_id: `D${'1'.repeat(31)}`,
  amount_minor: amount,
  nature,
  status,
});

function booksOf(payments: Payments): ProviderBooks {
  const charge = { provider: 'simulator', txid: REFERENCE, amount_minor: '1000', payments };
  return { charges: [charge], payouts: [], waiting_callbacks: 0 };
}

const paid = (id: string, amount: string, reversals: Payments[number]['reversals'] = []) => ({
  end_to_end_id: id,
  amount_minor: amount,
  paid_at: '2026-01-05T09:00:00Z',
  fee_minor: '0',
  dispute: null,
  reversals,
});

/** The ledger's accounts, as the database answers. */
function evidenceOf(
  books: ProviderBooks,
  accounts: Readonly<Record<string, string>>,
  { cash = [], healedMs = null, nowMs = 0 }: { cash?: CashAct[]; healedMs?: number | null; nowMs?: number } = {},
): Evidence {
  const rows = Object.entries(accounts).map(([account, balance]) => ({ provider: 'simulator', account, balance }));
  const database = {
    query: (text: string) => Promise.resolve(text.includes('ledger_account') ? rows : []),
  } as unknown as Evidence['database'];
  return {
    database,
    operators: [operator],
    books,
    decisions: [],
    cash,
    illSlot: null,
    clocksOffMs: 0,
    nameless: [],
    listsDisputes: [],
    nowMs,
    healedMs,
    calmSinceMs: null,
    ownTroublesMs: null,
    moved: new Map(),
    lists: [],
    stops: [],
    rules: [],
    answers: [],
    payers: new Map(),
    calls: null,
    asks: [],
    tasks: new Map(),
    sweptMs: Infinity,
    cameSweptMs: Infinity,
    isMute: false,
  };
}

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

describe('what must be soon', () => {
  const MINUTE_MS = 60_000;
  const pending = deposit({ status: 'pending', paid_amount: null, end_to_end_id: null });
  const seen = (change: Partial<Evidence>, row = pending) => {
    const evidence = {
      ...evidenceOf(booksOf([paid('E1', '1000')]), {}, { nowMs: 6 * MINUTE_MS }),
      ...{ calmSinceMs: -1, moved: new Map([[pending.id, 0]]) },
      ...change,
    };
    return movesSoon(evidence, [row], []).length;
  };

  it('is a payment that a callback told of, in a calm world alone', () => {
    assert.equal(seen({}), 1);
    assert.equal(seen({ nowMs: 5 * MINUTE_MS }), 0);
    assert.equal(seen({ calmSinceMs: null }), 0);
    assert.equal(seen({ calmSinceMs: 1 }), 0);
    assert.equal(seen({}, { ...pending, amount: '66607' }), 0);
  });

  it('is that what came is booked: sweeps of payments pass more often than those of returns', async () => {
    const found = async (minutes: number, reversals: Payments[number]['reversals']) => {
      const books = booksOf([paid('E1', '1000', reversals)]);
      const calm = { calmSinceMs: -1, moved: new Map([[pending.id, 0]]) };
      const bounds = { sweptMs: 60 * MINUTE_MS, cameSweptMs: 40 * MINUTE_MS };
      const evidence = { ...evidenceOf(books, {}, { nowMs: minutes * MINUTE_MS }), ...calm, ...bounds };
      return (await bookedSoon(evidence, [pending])).length;
    };
    assert.equal(await found(40, []), 0);
    assert.equal(await found(41, []), 1);
    assert.equal(await found(41, [back('400')]), 0);
    assert.equal(await found(61, [back('400')]), 1);
  });

  it('is a return that people decided', () => {
    const decisions = [{ id: pending.id, person: 'ana', decision: 'return', atMs: 0 }];
    assert.equal(seen({ decisions }, { ...pending, status: 'under_review' }), 1);
    const books = booksOf([paid('E1', '1000', [back('1000')])]);
    assert.equal(seen({ decisions, books }, { ...pending, status: 'under_review' }), 0);
  });

  it('is an answer to an operator, unless something of the gateway was away', () => {
    const unanswered = [{ externalId: 'one', atMs: 100 * MINUTE_MS, what: 'service_unavailable' }];
    const told = (ownTroublesMs: number[] | null, stops: Evidence['stops'] = []) =>
      answersSoon({
        ...evidenceOf(booksOf([]), {}),
        stops,
        operators: [{ ...operator, unanswered } as unknown as Operator],
        ownTroublesMs,
      }).length;
    assert.equal(told([]), 1);
    assert.equal(told([], [{ what: 'provider', of: 'a', fromMs: 0, toMs: 100 * MINUTE_MS }]), 0, 'people paused it');
    assert.equal(told([9 * MINUTE_MS]), 1);
    assert.equal(told([11 * MINUTE_MS]), 0);
    assert.equal(told(null), 0);
  });
});

describe('what people must see', () => {
  const HOUR_MS = 3_600_000;
  const paidMs = Date.parse('2026-01-05T09:00:00Z');
  const row = deposit({ expires_ms: paidMs + HOUR_MS });
  const withdrawal = deposit({ id: `wdr_${REFERENCE}`, kind: 'withdrawal', status: 'processing' });
  const asked = ['deposit', 'withdrawal'].map((kind) => ({ kind, externalId: 'one', player: 'player1' }));
  const of = (more: Partial<Evidence>): Evidence => ({
    ...evidenceOf(booksOf([paid('E1', '1000')]), {}),
    operators: [{ ...operator, asked } as unknown as Operator],
    nowMs: paidMs + HOUR_MS,
    ...more,
  });
  const rulesOf = (findings: readonly { rule: string }[]) => findings.map(({ rule }) => rule);

  it('is a payment in doubt', () => {
    const payers = new Map([['E1', 'another'] as const]);
    assert.deepEqual(judgeDoubts(of({}), [row]), []);
    assert.deepEqual(rulesOf(judgeDoubts(of({ payers }), [row])), [
      'a payment in doubt is not credited without people',
    ]);
    assert.equal(judgeDoubts(of({}), [{ ...row, expires_ms: paidMs - 1 }]).length, 1);
    const decisions = [{ id: row.id, person: 'ana', decision: 'approve', atMs: 0 }];
    assert.deepEqual(judgeDoubts(of({ payers, decisions }), [row]), []);
  });

  it('is nothing else', () => {
    const untrue = ['people see a payment for a true reason'];
    const held = { ...row, status: 'under_review', review_since: '2026-01-05T09:01:00Z' };
    const invalid = { ...held, reasons: ['RULES_INVALID_RESPONSE'] };
    assert.deepEqual(judgeDoubts(of({}), [invalid]), []);
    assert.deepEqual(rulesOf(judgeDoubts(of({ calmSinceMs: 0 }), [invalid])), untrue);
    const silent = { ...held, reasons: ['RULES_UNAVAILABLE'] };
    const answer = { from: 'worker', port: 1, method: 'GET', path: '/', names: [REFERENCE], status: 200 };
    const answered = { ...answer, atMs: paidMs, answeredMs: paidMs + 1_000 };
    const found = (ownTroublesMs: number[], answers: number, one = silent) =>
      rulesOf(judgeDoubts(of({ ownTroublesMs, calls: Array.from({ length: answers }, () => answered) }), [one]));
    assert.deepEqual(found([], 1), untrue);
    assert.deepEqual(found([paidMs], 1), [], 'something of the gateway was away');
    assert.deepEqual(found([], 2), [], 'the look that served the rules got no answer');
    assert.deepEqual(found([], 1, { ...silent, review_since: '2026-01-05T09:59:30Z' }), [], 'the last look');
  });

  it('is a withdrawal that the rules in force, or its operator, keep for people', () => {
    const minute = 60_000;
    const row = { ...withdrawal, created_ms: 3 * minute };
    const set = { operationId: OPERATION, atMs: 0, doneMs: minute, isAllManual: false };
    const found = (rules: Evidence['rules'], change: Partial<Row> = {}) =>
      judgeRules(of({ rules }), [{ ...row, ...change }]).length;
    assert.equal(found([set]), 0);
    assert.equal(found([{ ...set, isAllManual: true }]), 1);
    assert.equal(found([{ ...set, isAllManual: true }], { is_manual: true }), 0);
    assert.equal(found([{ ...set, automaticUpToMinor: '999' }]), 1);
    assert.equal(found([{ ...set, automaticUpToMinor: '1000' }]), 0);
    assert.equal(found([{ ...set, automaticUpToMinor: '999' }], { status: 'under_review' }), 0);
    assert.equal(found([{ ...set, automaticUpToMinor: '999', doneMs: 2.5 * minute }]), 0, 'it came as they changed');
    assert.equal(found([{ ...set, oneApprovalUpToMinor: '999' }], { is_manual: true }), 1);
    assert.equal(found([{ ...set, oneApprovalUpToMinor: '999' }], { is_manual: true, needs_two: true }), 0);
    const wanted = [{ kind: 'withdrawal', externalId: 'one', player: 'player1', wantsReview: true }];
    const operators = [{ ...operator, asked: wanted } as unknown as Operator];
    assert.equal(judgeRules(of({ operators }), [row]).length, 1);
  });

  it('is a payout to somebody who is blocked, or that people have stopped', () => {
    const call = { from: 'worker', port: 1, atMs: HOUR_MS, method: 'POST', path: '/', answeredMs: null, status: null };
    const sent = { calls: [{ ...call, names: [REFERENCE] }], ownTroublesMs: [] };
    const since = { fromMs: 0, toMs: null };
    const listed = { ...since, operationId: OPERATION, list: 'block', kind: 'player', value: 'player1' } as const;
    assert.deepEqual(judgeSends(of(sent), [withdrawal]), []);
    assert.equal(judgeSends(of({ ...sent, lists: [listed] }), [withdrawal]).length, 1);
    const stop = { ...since, what: 'provider', of: 'simulator' } as const;
    assert.equal(judgeSends(of({ ...sent, stops: [stop] }), [withdrawal]).length, 1);
    assert.equal(judgeSends(of({ ...sent, stops: [{ ...stop, toMs: HOUR_MS }] }), [withdrawal]).length, 0);
  });

  it('is not read anew: a sweep goes on where the last one ended', () => {
    const read = (hours: number, calmSinceMs: number | null) => {
      const span = `inicio=2026-01-05T00:00:00Z&fim=2026-01-05T0${hours}:00:00Z`;
      const call = { from: 'worker', port: 1, atMs: 0, method: 'GET', names: [], answeredMs: 0, status: 200 };
      return judgeSaid(of({ calls: [{ ...call, path: `/a/pix?${span}` }], calmSinceMs }), [], []).length;
    };
    assert.equal(read(4, -Infinity), 0);
    assert.equal(read(5, -Infinity), 1);
    assert.equal(read(5, 0), 0, 'a sweep was missing');
  });

  it('is not what the gateway cannot know: a charge is closed on an answer after its end', () => {
    const expired = { ...row, status: 'expired' };
    const call = { from: 'worker', port: 1, method: 'GET', path: '/', names: [REFERENCE], status: 200 };
    const at = (ms: number) => ({ calls: [{ ...call, atMs: ms, answeredMs: ms }] });
    assert.equal(judgeSaid(of(at(paidMs)), [expired], []).length, 1);
    assert.equal(judgeSaid(of(at(paidMs + HOUR_MS)), [expired], []).length, 0);
    const alert = { kind: 'PAYOUT_OUTCOME_UNKNOWN', object_id: withdrawal.id, is_open: true };
    assert.deepEqual(rulesOf(judgeSaid(of({ calls: [], ownTroublesMs: [] }), [withdrawal], [alert])), [
      'an alert of a wait ends with the wait',
    ]);
    const unconfirmed = { kind: 'EXPIRY_UNCONFIRMED', object_id: row.id, is_open: true };
    const confirmed = judgeSaid(of(at(paidMs + HOUR_MS)), [expired], [{ ...unconfirmed, is_open: false }]);
    assert.deepEqual(confirmed, []);
    assert.equal(judgeSaid(of(at(paidMs + HOUR_MS)), [expired], [unconfirmed]).length, 1, 'its provider answers');
  });
});
