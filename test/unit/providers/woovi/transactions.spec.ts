// What arrived on an account at Woovi and what left it: its transactions of a span of time, in halves where they fill
// a page.
import assert from 'node:assert/strict';
import { isListedPayout } from '../../../../domain/listed-payouts.js';
import type { ListedPayout } from '../../../../domain/listed-payouts.js';
import { aTransaction, E2E, type FakeWoovi, openFakeWoovi, REFERENCE } from './fake-woovi.js';

const RETURN = 'D12345678202603051200aBcDeFgHiJk';
const SPAN = { from: '2026-03-05T12:00:00.000Z', to: '2026-03-05T12:00:08.000Z' };

describe('the transactions of an account at Woovi', () => {
  let woovi: FakeWoovi;
  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(() => woovi.close());
  beforeEach(() => {
    woovi.says = {};
    woovi.requests.length = 0;
    woovi.drift.length = 0;
  });

  const says = (transactions: unknown[], hasNextPage = false) => {
    woovi.says = { 'GET /transaction': { json: { pageInfo: { hasNextPage }, transactions } } };
  };
  const read = (cursor: string | null = null) => woovi.provider().listReceived({ part: 'payments', ...SPAN, cursor });
  const aPayout = (overrides: Partial<ListedPayout>) => ({
    reference: null,
    sentAt: SPAN.from,
    isSettled: true,
    returns: '',
    ...overrides,
  });
  const typesAsked = () => woovi.requests.map(({ path }) => new URL(path, 'http://woovi').searchParams.get('type'));
  const spans = () =>
    woovi.requests.map(({ path }) => {
      const { searchParams } = new URL(path, 'http://woovi');
      return [searchParams.get('start'), searchParams.get('end')].map((at) => at?.slice(-6));
    });

  it('payments that arrived, with the reference of their charge; nothing else', async () => {
    says([
      aTransaction({ charge: { correlationID: REFERENCE } }),
      aTransaction({ endToEndId: E2E.replace('E1', 'E2'), charge: null, status: 'REFUNDED' }),
      aTransaction({ endToEndId: E2E.replace('E1', 'E3'), status: 'IN_PROCESSING' }),
      aTransaction({ endToEndId: RETURN, type: 'REFUND', status: 'CONFIRMED' }),
      aTransaction({ endToEndId: E2E.replace('E1', 'E4'), type: 'WITHDRAW' }),
    ]);
    const page = await read();
    assert.ok(page.kind === 'page' && page.next === null);
    assert.deepEqual(
      page.items.map(({ endToEndId, reference, returns }) => [endToEndId, reference, returns]),
      [
        [E2E, REFERENCE, ''],
        [E2E.replace('E1', 'E2'), null, 'REFUNDED'],
      ],
    );
  });

  it('payouts that left, by their end-to-end ids; one under way may still fail; returns by their own', async () => {
    const [first, second, third] = ['E2', 'E3', 'E4'].map((begin) => E2E.replace('E1', begin));
    says([
      aTransaction({ charge: { correlationID: REFERENCE } }),
      aTransaction({ endToEndId: first, type: 'WITHDRAW', value: 3000, time: SPAN.from }),
      aTransaction({ endToEndId: second, type: 'WITHDRAW', status: 'IN_PROCESSING', value: 3100, time: SPAN.from }),
      aTransaction({ endToEndId: E2E, type: 'WITHDRAW', status: 'REJECTED' }),
      aTransaction({ endToEndId: null, type: 'FEE' }),
      aTransaction({ endToEndId: RETURN, type: 'REFUND', value: 3000, time: SPAN.to }),
      aTransaction({ endToEndId: RETURN.replace('D1', 'D2'), type: 'REFUND', status: 'IN_PROCESSING' }),
      aTransaction({ endToEndId: third, type: 'WITHDRAW', status: 'PARTIAL_REFUND', value: 3200, time: SPAN.from }),
    ]);
    const page = await woovi.provider().listPayouts({ part: 'payouts', ...SPAN, cursor: null });
    assert.deepEqual(page, {
      kind: 'page',
      items: [
        aPayout({ payoutId: first, endToEndId: first, amountMinor: 3000n }),
        aPayout({ payoutId: second, endToEndId: second, amountMinor: 3100n, isSettled: false }),
        { returnId: RETURN, amountMinor: 3000n, returnedAt: SPAN.to },
        aPayout({ payoutId: third, endToEndId: third, amountMinor: 3200n, returns: 'PARTIAL_REFUND' }),
      ],
      unreadable: 0,
      next: null,
    });
  });

  it('a full page is halved until it is not; then the rest of the span follows', async () => {
    says([aTransaction()], true);
    const whole = await read();
    assert.ok(whole.kind === 'page' && whole.next !== null);
    const half = await read(whole.next);
    assert.ok(half.kind === 'page' && half.next !== null);
    says([aTransaction()]);
    const quarter = await read(half.next);
    assert.ok(quarter.kind === 'page' && quarter.next !== null);
    const rest = await read(quarter.next);
    assert.ok(rest.kind === 'page' && rest.next === null);
    assert.deepEqual(spans(), [
      ['0.000Z', '8.000Z'],
      ['0.000Z', '4.000Z'],
      ['0.000Z', '2.000Z'],
      ['2.000Z', '8.000Z'],
    ]);
  });

  it('an answer that is too large is halved like a full page', async () => {
    woovi.says = { 'GET /transaction': { text: ' '.repeat(300 * 1_024) } };
    const whole = await read();
    assert.ok(whole.kind === 'page' && whole.next !== null && whole.items.length === 0);
    says([aTransaction()]);
    const half = await read(whole.next);
    assert.ok(half.kind === 'page' && half.items.length === 1);
    assert.deepEqual(spans()[1], ['0.000Z', '4.000Z']);
  });

  it('more than a page within a second stays open, as does a list without an answer', async () => {
    says([aTransaction()], true);
    const second = `${Date.parse(SPAN.from)}-${Date.parse(SPAN.from) + 1_000}`;
    assert.deepEqual(await read(second), { kind: 'unknown', reason: 'more_than_a_page' });
    woovi.says = { 'GET /transaction': { status: 500, json: {} } };
    assert.equal((await read()).kind, 'unknown');
  });

  it('what cannot be read is counted, named and reported as drift, and hides no other', async () => {
    const [odd, nameless, reversed] = ['E2', 'E3', 'E4'].map((start) => E2E.replace('E1', start));
    const rows = [
      aTransaction({ endToEndId: odd, type: 'SPLIT' }),
      aTransaction({ endToEndId: nameless, value: 'much' }),
      aTransaction({ endToEndId: reversed, type: 'REVERSAL' }),
    ];
    says([...rows, aTransaction()]);
    const page = await read();
    assert.ok(page.kind === 'page' && page.items.length === 1);
    assert.deepEqual([page.unreadable, page.unread], [3, [odd, nameless, reversed]]);
    assert.deepEqual([...woovi.drift].sort(), ['unknown_state', 'unknown_state', 'unreadable_answer']);
  });

  it('a settled PIX without its end-to-end id is unreadable; one under way has none yet', async () => {
    const nameless = (changes: object) => aTransaction({ endToEndId: null, ...changes });
    says([nameless({}), nameless({ status: 'IN_PROCESSING' }), nameless({ status: 'REJECTED' })]);
    const received = await read();
    assert.ok(received.kind === 'page' && received.items.length === 0 && received.unreadable === 1);
    says([nameless({ type: 'WITHDRAW' }), nameless({ type: 'WITHDRAW', status: 'IN_PROCESSING' })]);
    const sent = await woovi.provider().listPayouts({ part: 'payouts', ...SPAN, cursor: null });
    assert.ok(sent.kind === 'page' && sent.items.length === 0 && sent.unreadable === 1);
  });

  it('money that is held or free again neither came nor left, whatever else is in its row', async () => {
    const held = { type: 'BALANCE_BLOCK', value: -5_000, time: null };
    says([held, { ...held, type: 'BALANCE_UNBLOCK' }]);
    const nothing = { kind: 'page', items: [], unreadable: 0, next: null };
    assert.deepEqual(await read(), nothing);
    assert.deepEqual(await woovi.provider().listPayouts({ part: 'payouts', ...SPAN, cursor: null }), nothing);
    assert.deepEqual(woovi.drift, []);
  });

  it('a transfer to another account left, by its amount; it did not arrive', async () => {
    const transfer = { type: 'INTERNAL_TRANSFER', endToEndId: null, value: 9_000, time: SPAN.from };
    says([
      aTransaction({ ...transfer, transactionID: 'move-1' }),
      aTransaction(transfer),
      aTransaction({ ...transfer, transactionID: 'move-2', status: 'REJECTED' }),
      aTransaction({ ...transfer, transactionID: 'move-3', status: null }),
    ]);
    const page = await woovi.provider().listPayouts({ part: 'payouts', ...SPAN, cursor: null });
    assert.ok(page.kind === 'page');
    assert.deepEqual(
      page.items.filter(isListedPayout).map((item) => [item.payoutId, item.endToEndId, item.amountMinor]),
      [
        ['move-1', null, 9_000n],
        [`transfer-${Date.parse(SPAN.from)}-9000`, null, 9_000n],
        ['move-3', null, 9_000n],
      ],
    );
    assert.deepEqual(await read(), { kind: 'page', items: [], unreadable: 0, next: null });
  });

  it('a return does not name its payment: payments that say that something was sent back', async () => {
    const [part, whole] = ['E2', 'E3'].map((begin) => E2E.replace('E1', begin));
    says([
      aTransaction(),
      aTransaction({ endToEndId: part, charge: { correlationID: REFERENCE }, status: 'PARTIAL_REFUND' }),
      // As the document has it: the two words interchanged.
      aTransaction({ endToEndId: whole, type: 'REFUNDED', status: 'PAYMENT' }),
      aTransaction({ endToEndId: RETURN, type: 'REFUND', status: 'CONFIRMED' }),
    ]);
    const page = await woovi.provider().listReceived({ part: 'returns', ...SPAN, cursor: null });
    assert.ok(page.kind === 'page' && page.next === null);
    assert.deepEqual(
      page.items.map(({ endToEndId, reference, returns }) => [endToEndId, reference, returns]),
      [
        // With the day: a further part changes no word, so the deposit looks once a day.
        [part, REFERENCE, `PARTIAL_REFUND ${SPAN.to.slice(0, 10)}`],
        [whole, null, 'REFUNDED'],
      ],
    );
    assert.deepEqual(typesAsked(), ['PAYMENT']);
  });

  it('payouts of a long span: those that say that something came back', async () => {
    const [first, second] = ['E2', 'E3'].map((begin) => E2E.replace('E1', begin));
    says([
      aTransaction({ endToEndId: first, type: 'WITHDRAW', value: 3000, time: SPAN.from }),
      aTransaction({ endToEndId: second, type: 'WITHDRAW', status: 'REFUNDED', value: 3000, time: SPAN.from }),
      aTransaction({ status: 'REFUNDED' }),
    ]);
    const page = await woovi.provider().listPayouts({ part: 'payout_returns', ...SPAN, cursor: null });
    const items = [aPayout({ payoutId: second, endToEndId: second, amountMinor: 3000n, returns: 'REFUNDED' })];
    assert.deepEqual(page, { kind: 'page', items, unreadable: 0, next: null });
    assert.deepEqual(typesAsked(), ['WITHDRAW']);
  });
});
