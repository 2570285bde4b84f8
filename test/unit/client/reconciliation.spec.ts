// Closed days: the published vectors, computed again by the client's code.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import {
  canonicalListBytes,
  compareReconciliation,
  isReconciliationOrdered,
  readReconciliationDay,
  reconciliationDigest,
  reconciliationSignedText,
  reconciliationTotals,
  verifyReconciliationSignature,
} from '../../../client/index.js';
import type { ReconciliationItem } from '../../../client/types.js';
import { vectors } from './test-vectors.js';

describe('closed days', () => {
  for (const vector of vectors.reconciliation) {
    const day = {
      date: vector.date,
      currency: vector.currency,
      digest: reconciliationDigest(vector.items),
      signature: vector.signature_header,
    };

    it(`vector: ${vector.name}`, () => {
      assert.ok(isReconciliationOrdered(vector.items));
      assert.equal(canonicalListBytes(vector.items).toString('utf8'), vector.canonical_list);
      assert.equal(day.digest, vector.digest);
      assert.equal(reconciliationSignedText(day), vector.signed_text);
      for (const secret of vector.signing_secrets)
        assert.ok(verifyReconciliationSignature(day, [secret]), 'each secret alone');
    });

    it(`vector: ${vector.name}: another secret, day, currency or digest is refused`, () => {
      assert.equal(verifyReconciliationSignature(day, ['whsec_other']), false);
      for (const change of [
        { date: '2026-01-02' },
        { currency: 'USD' },
        { digest: '0'.repeat(64) },
        { signature: null },
        { signature: vector.signature_header.replaceAll('v1=', 'v2=') },
      ]) {
        assert.equal(
          verifyReconciliationSignature({ ...day, ...change }, vector.signing_secrets),
          false,
          JSON.stringify(change),
        );
      }
    });
  }
});

const brl = (amount: string) => ({ amount, currency: 'BRL' });

function item(external_id: string, kind: string, amount: string, fee: string | null = null): ReconciliationItem {
  const settled_at = '2026-11-20T12:00:00.000Z';
  const object_id = `dep_${external_id}`;
  return {
    object_id,
    external_id,
    kind,
    status: 'paid',
    amount: brl(amount),
    fee: fee === null ? null : brl(fee),
    settled_at,
  };
}

const DAY = { date: '2026-11-20', currency: 'BRL' };
const TOTALS = reconciliationTotals([], 'BRL');

/** The pages that a gateway would answer, one after the other; it keeps what it was asked for. */
function gatewayWith(pages: readonly object[], headers: object = {}) {
  const asked: unknown[] = [];
  const reconciliation = async (query: unknown) => {
    asked.push(query);
    return { status: 200, headers, body: pages[asked.length - 1], replayed: false };
  };
  return { asked, reconciliation: reconciliation as never };
}

const page = (items: readonly ReconciliationItem[], next_cursor: string | null, more: object = {}) => ({
  ...{ ...DAY, items, next_cursor, totals: null, digest: null },
  ...more,
});
const lastPage = (items: readonly ReconciliationItem[]) => page(items, null, { totals: TOTALS, digest: 'abc' });

describe('closed days: reading', () => {
  const [one, two] = [item('1', 'deposit', '100'), item('2', 'deposit', '200')];

  it('follows the cursors to the last page, which has totals, digest and signature', async () => {
    const gateway = gatewayWith([page([one], 'next'), lastPage([two])], { 'svc-signature': 'v1=00' });
    const day = await readReconciliationDay(gateway, DAY);
    assert.deepEqual(day, { ...DAY, items: [one, two], totals: TOTALS, digest: 'abc', signature: 'v1=00', pages: 2 });
    assert.deepEqual(gateway.asked, [
      { ...DAY, limit: 200 },
      { ...DAY, limit: 200, cursor: 'next' },
    ]);
  });

  it('an empty day is one page; a header that came twice is no signature', async () => {
    const day = await readReconciliationDay(gatewayWith([lastPage([])], { 'svc-signature': ['a', 'b'] }), DAY);
    assert.deepEqual([day.items, day.pages, day.signature], [[], 1, null]);
  });

  for (const [title, pages, error] of [
    ['a page without items that names another', [page([], 'next')], /repeated a page/],
    ['the same cursor again', [page([one], 'next'), page([two], 'next')], /repeated a page/],
    ['a last page without totals', [page([one], null, { digest: 'abc' })], /no totals or no digest/],
    ['a last page without a digest', [page([one], null, { totals: TOTALS })], /no totals or no digest/],
  ] as const) {
    it(`${title} is an error`, () => assert.rejects(readReconciliationDay(gatewayWith(pages), DAY), error));
  }
});

describe('closed days: the operator’s own books', () => {
  const items = [
    item('1', 'deposit', '1000', '10'),
    item('2', 'deposit', '500'),
    item('2', 'withdrawal', '300', '5'),
    item('3', 'refund', '40'),
    item('4', 'chargeback', '30'),
    item('5', 'fee', '7'),
  ];

  it('totals by kind; fees are those of items and those that are items', () => {
    assert.deepEqual(reconciliationTotals(items, 'BRL'), {
      deposits_paid: brl('1500'),
      withdrawals_paid: brl('300'),
      refunds: brl('40'),
      chargebacks: brl('30'),
      fees: brl('22'),
      count: 6,
    });
  });

  it('books that agree: no difference, in any order', () => {
    const records = items.map(({ external_id, kind, amount }) => ({ external_id, kind, amount: amount.amount }));
    assert.deepEqual(compareReconciliation(items, records.reverse()), []);
  });

  it('names each difference; a deposit and a withdrawal of one external_id are two', () => {
    const [deposit, other, withdrawal] = items as [ReconciliationItem, ReconciliationItem, ReconciliationItem];
    const record = (external_id: string, kind: string, amount: string) => ({ external_id, kind, amount });
    const found = compareReconciliation(
      [deposit, other, withdrawal],
      [
        record('1', 'deposit', '999'),
        record('1', 'deposit', '999'),
        record('2', 'deposit', '500'),
        record('9', 'deposit', '1'),
      ],
    );
    const difference = (
      problem: string,
      id: string,
      kind: string,
      service: string | null,
      operator: string | null,
    ) => ({
      ...{ problem, external_id: id, kind, service_amount: service, operator_amount: operator },
    });
    assert.deepEqual(found, [
      difference('amount_differs', '1', 'deposit', '1000', '999'),
      difference('repeated_at_operator', '1', 'deposit', null, '999'),
      difference('missing_at_service', '9', 'deposit', null, '1'),
      difference('missing_at_operator', '2', 'withdrawal', '300', null),
    ]);
  });

  describe('several parts of one payment that went back on one day', () => {
    const parts = [
      item('1', 'deposit', '5000'),
      ...['500', '700'].map((amount) => item('1', 'chargeback', amount)),
      ...['300', '200'].map((amount) => item('1', 'refund', amount)),
    ];
    const differences = (...records: readonly (readonly [kind: string, amount: string])[]) =>
      compareReconciliation(
        parts,
        records.map(([kind, amount]) => ({ external_id: '1', kind, amount })),
      ).map((found) => [found.problem, found.kind, found.service_amount, found.operator_amount]);

    it('agree with books that have each part, or their sum', () => {
      const each = parts.map(({ kind, amount }) => [kind, amount.amount] as const);
      assert.deepEqual(differences(...each), []);
      assert.deepEqual(differences(['deposit', '5000'], ['chargeback', '1200'], ['refund', '500']), []);
    });

    it('a part that the books do not have is missing', () => {
      assert.deepEqual(differences(['deposit', '5000'], ['chargeback', '700'], ['refund', '200']), [
        ['missing_at_operator', 'chargeback', '500', null],
        ['missing_at_operator', 'refund', '300', null],
      ]);
    });

    it('a part of another amount, and one part too many', () => {
      assert.deepEqual(
        differences(
          ...([
            ['deposit', '5000'],
            ['chargeback', '700'],
            ['chargeback', '600'],
          ] as const),
          ...([
            ['refund', '300'],
            ['refund', '200'],
            ['refund', '200'],
          ] as const),
        ),
        [
          ['amount_differs', 'chargeback', '500', '600'],
          ['repeated_at_operator', 'refund', null, '200'],
        ],
      );
    });
  });

  it('a line of nothing is missing on the other side too', () => {
    const [problem] = compareReconciliation([], [{ external_id: '1', kind: 'fee', amount: '0' }]);
    assert.equal(problem?.problem, 'missing_at_service');
  });

  it('the order is by object, then by kind; parts repeat a pair', () => {
    const [a, b] = [item('a', 'deposit', '1'), item('a', 'refund', '1')];
    const order = (...list: ReconciliationItem[]) => isReconciliationOrdered(list);
    assert.deepEqual([order(a, b), order(b, a), order(a, a), order(a), order()], [true, false, true, true, true]);
  });

  it('a signature is one of the first eight entries, with nothing around it but spaces', () => {
    const day = { ...DAY, digest: 'abc' };
    const hex = createHmac('sha256', 'whsec_1').update(reconciliationSignedText(day)).digest('hex');
    const isSigned = (signature: string | null) => verifyReconciliationSignature({ ...day, signature }, ['whsec_1']);
    const other = `v1=${'0'.repeat(64)}`;
    for (const signature of [`v1=${hex}`, ` v1=${hex} `, `${other}, v1=${hex}`, `x,,v1=${hex}`])
      assert.equal(isSigned(signature), true, signature);
    for (const signature of [null, '', hex, `v2=${hex}`, `av1=${hex}`, `v1=${hex}0`, `v1=${hex.toUpperCase()}`])
      assert.equal(isSigned(signature), false, String(signature));
    const [eighth, ninth] = [7, 8].map((before) => `${`${other},`.repeat(before)}v1=${hex}`);
    assert.deepEqual([isSigned(eighth!), isSigned(ninth!)], [true, false]);
  });

  it('an empty webhook secret is a mistake of the caller', () => {
    const day = { ...DAY, digest: 'abc', signature: `v1=${'0'.repeat(64)}` };
    assert.throws(() => verifyReconciliationSignature(day, ['']), RangeError);
  });
});
