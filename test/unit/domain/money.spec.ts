// Money (specification, "Money"): a decimal string of minor units, unsigned, at most 38 digits; and its double entries.
import assert from 'node:assert/strict';
import { ENABLED_CURRENCIES, enabledCurrency, METHODS } from '../../../domain/currencies.js';
import { LEDGER_ACCOUNTS, LEDGER_MOVEMENTS, postingsOf } from '../../../domain/ledger.js';
import {
  amountsById,
  formatBrl,
  isAmount,
  parseAmountMinor,
  readJson,
  toMoney,
  withAmounts,
  writeJson,
} from '../../../domain/money.js';

const NINES = '9'.repeat(38);

describe('Money', () => {
  for (const [text, amountMinor] of [
    ['0', 0n],
    ['1', 1n],
    ['5000', 5_000n],
    [NINES, 99_999_999_999_999_999_999_999_999_999_999_999_999n],
  ] as const) {
    it(`takes "${text}"`, () => {
      assert.equal(isAmount(text), true);
      assert.equal(parseAmountMinor(text), amountMinor);
    });
  }

  for (const text of [
    '',
    '00',
    '01',
    '-1',
    '+1',
    '50.00',
    '50,00',
    '1e3',
    ' 1',
    '1 ',
    '1\n',
    '0x1',
    `1${'0'.repeat(38)}`,
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(isAmount(text), false);
      assert.throws(() => parseAmountMinor(text), RangeError);
    });
  }

  it('is written without a sign', () => {
    assert.deepEqual(toMoney(5_000n, 'BRL'), { amount: '5000', currency: 'BRL' });
    assert.deepEqual(toMoney(0n, 'BRL'), { amount: '0', currency: 'BRL' });
    assert.throws(() => toMoney(-1n, 'BRL'), RangeError);
  });

  for (const [amountMinor, text] of [
    [0n, 'R$ 0,00'],
    [5n, 'R$ 0,05'],
    [50n, 'R$ 0,50'],
    [100n, 'R$ 1,00'],
    [99_999n, 'R$ 999,99'],
    [123_450n, 'R$ 1.234,50'],
    [123_456_789_012n, 'R$ 1.234.567.890,12'],
    [-5n, '-R$ 0,05'],
    [-123_450n, '-R$ 1.234,50'],
  ] as const) {
    it(`${amountMinor} centavos reads ${text}`, () => assert.equal(formatBrl(amountMinor), text));
  }
});

describe('currencies', () => {
  it('BRL with PIX and two decimals, nothing else', () => {
    const brl = { code: 'BRL', kind: 'fiat', exponent: 2, methods: ['pix'] };
    assert.deepEqual(ENABLED_CURRENCIES, [brl]);
    assert.deepEqual(enabledCurrency('BRL'), brl);
    for (const code of ['USD', 'brl', '']) assert.equal(enabledCurrency(code), undefined);
  });

  it('know the methods of the specification', () =>
    assert.deepEqual(METHODS, ['pix', 'card', 'crypto', 'bank_transfer', 'boleto', 'wire', 'swift']));
});

describe('ledger', () => {
  it('has these accounts', () =>
    assert.deepEqual(LEDGER_ACCOUNTS, ['available', 'pending_in', 'pending_out', 'suspense', 'provider_clearing']));

  const MOVEMENTS = [
    ['deposit_credited', 'provider_clearing', 'available'],
    ['deposit_held', 'provider_clearing', 'pending_in'],
    ['deposit_released', 'pending_in', 'available'],
    ['deposit_returned', 'pending_in', 'provider_clearing'],
    ['deposit_refunded', 'available', 'provider_clearing'],
    ['deposit_charged_back', 'available', 'provider_clearing'],
    ['late_payment_received', 'provider_clearing', 'suspense'],
    ['withdrawal_reserved', 'available', 'pending_out'],
    ['withdrawal_released', 'pending_out', 'available'],
    ['withdrawal_paid', 'pending_out', 'provider_clearing'],
    ['withdrawal_returned', 'provider_clearing', 'available'],
    ['fee_with_payment', 'available', 'provider_clearing'],
    ['fee_apart', 'available', 'provider_clearing'],
    ['cash_box_funded', 'provider_clearing', 'available'],
    ['cash_box_settled', 'available', 'provider_clearing'],
    ['cash_box_moved_out', 'available', 'provider_clearing'],
    ['cash_box_moved_in', 'provider_clearing', 'available'],
    ['suspense_assigned', 'suspense', 'available'],
    ['suspense_recalled', 'available', 'suspense'],
    ['suspense_credited', 'suspense', 'available'],
    ['cash_box_corrected_up', 'provider_clearing', 'available'],
    ['cash_box_corrected_down', 'available', 'provider_clearing'],
    ['deposit_refunded_in_part', 'available', 'provider_clearing'],
    ['deposit_charged_back_in_part', 'available', 'provider_clearing'],
    ['suspense_reversed', 'suspense', 'provider_clearing'],
    ['withdrawal_returned_in_part', 'provider_clearing', 'available'],
  ] as const;
  for (const [movement, from, to] of MOVEMENTS) {
    it(`${movement}: out of ${from}, into ${to}`, () =>
      assert.deepEqual(postingsOf(movement, 3_000n), [
        { account: from, amountMinor: -3_000n },
        { account: to, amountMinor: 3_000n },
      ]));
  }

  it('has no other movement', () =>
    assert.deepEqual(
      Object.keys(LEDGER_MOVEMENTS).sort(),
      MOVEMENTS.map(([movement]) => movement).sort((one, other) => (one < other ? -1 : 1)),
    ));

  it('moves positive amounts only', () => {
    for (const amountMinor of [0n, -1n]) assert.throws(() => postingsOf('deposit_credited', amountMinor), RangeError);
    assert.equal(postingsOf('deposit_credited', 1n)[1].amountMinor, 1n);
  });
});

describe('amounts in JSON', () => {
  const document = {
    amountMinor: BigInt(NINES),
    feeMinor: null,
    parts: [{ amountMinor: -85n, at: '2026-11-21T12:00:00.000Z' }, { amountMinor: 0n }],
    windows: { d7: { reviewMinor: 1n, count: 3 } },
  };

  it('are text, so that every reader has them exactly', () => {
    assert.ok(writeJson(document).startsWith(`{"amountMinor":"${NINES}","feeMinor":null,`));
  });

  it('are bigint again at any depth, also after PostgreSQL wrote them with spaces', () => {
    assert.deepEqual(readJson(writeJson(document)), document);
    assert.deepEqual(readJson('[{"a": 1, "amountMinor": "12"}]'), [{ a: 1, amountMinor: 12n }]);
    assert.deepEqual(withAmounts(JSON.parse(writeJson(document))), document);
  });

  it('sums of many have more digits', () => {
    const sum = { totalMinor: BigInt(NINES) * 1_000n };
    assert.deepEqual(readJson(writeJson(sum)), sum);
  });

  for (const text of ['', '01', '-0', '1.5', '1e3', ' 1', '0x1', 'R$ 1', '9'.repeat(61)])
    it(`"${text.slice(0, 9)}" is none: whoever wrote it gets no amount of it`, () =>
      assert.deepEqual(readJson(JSON.stringify({ amountMinor: text })), { amountMinor: text }));

  it('have a name that says so: other text stays text, whatever its digits', () => {
    const ids = { externalId: '123', minor: '5', amount: { amount: '5000', currency: 'BRL' }, amountMinor: 7 };
    assert.deepEqual(readJson(JSON.stringify(ids)), ids);
  });

  it('bytes are left alone', () => {
    const row = { amountMinor: '5', sealed: Buffer.from('x') };
    assert.deepEqual(withAmounts(row), { amountMinor: 5n, sealed: Buffer.from('x') });
  });

  it('by id are read whatever the ids are', () => assert.deepEqual(amountsById({ E1: '85' }), { E1: 85n }));
});
