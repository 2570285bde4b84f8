// BR Codes at their bounds: lengths, ranges of fields, amounts and names, each as a literal code or refusal.
import assert from 'node:assert/strict';
import { buildDynamicBrCode, crc16, parseBrCode } from '../../../domain/br-code.js';

const KEY = '0136123e4567-e12b-12d1-a456-426655440000';
const ACCOUNT = `580014br.gov.bcb.pix${KEY}`;
const NAMES = '5901A6001B';

/** A body closed by its checksum. */
const closed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
const field = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`;
/** A static code in which one part is another. */
const code = ({ version = '000201', account = `26${ACCOUNT}`, currency = '5303986', amount = '', rest = NAMES }) =>
  closed(version + account + currency + amount + rest);
const problemOf = (text: string) => {
  const parsed = parseBrCode(text);
  return parsed.ok ? 'none' : parsed.problem;
};

describe('checksum of a BR Code', () => {
  for (const [text, checksum] of [
    ['', 'FFFF'],
    ['A', 'B915'],
    ['SANDBOX', '2304'],
    ['315', '003B'],
    ['é', '7ACB'],
  ] as const) {
    it(`"${text}": ${checksum}`, () => assert.equal(crc16(text), checksum));
  }
});

describe('reading a BR Code', () => {
  /** Filled up with fields that nobody reads. */
  const ofLength = (length: number) => {
    const known = code({}).length;
    const filler = [99, 99, 99, 99, length - known - 4 * 103 - 4].map((size, at) => field(`8${at}`, 'x'.repeat(size)));
    return code({ rest: NAMES + filler.join('') });
  };
  it('takes 512 characters and refuses 513', () => {
    assert.equal(ofLength(512).length, 512);
    assert.equal(problemOf(ofLength(512)), 'none');
    assert.equal(problemOf(ofLength(513)), 'too_long');
  });

  for (const [title, text, problem] of [
    ['an account in field 26', code({}), 'none'],
    ['an account in field 51', code({ account: `51${ACCOUNT}` }), 'none'],
    ['an account in field 25', code({ account: `25${ACCOUNT}` }), 'not_pix'],
    ['an account in field 52', code({ account: `52${ACCOUNT}` }), 'not_pix'],
    ['an account behind another scheme’s', code({ account: `26080004test27${ACCOUNT}` }), 'none'],
    ['an account behind one that cannot be read', code({ account: `2604oops27${ACCOUNT}` }), 'none'],
    ['a scheme in capitals', code({ account: `26580014BR.GOV.BCB.PIX${KEY}` }), 'none'],
    ['another version', code({ version: '000202' }), 'not_pix'],
    ['no version', code({ version: '' }), 'not_pix'],
    ['no currency', code({ currency: '' }), 'not_brl'],
    ['no name', code({ rest: '6001B' }), 'missing_merchant'],
    ['no city', code({ rest: '5901A' }), 'missing_merchant'],
    ['an empty name', code({ rest: '59006001B' }), 'missing_merchant'],
    ['an empty city', code({ rest: '5901A6000' }), 'missing_merchant'],
    ['an id that is no number', code({ rest: `${NAMES}A102xx` }), 'malformed_field'],
    ['a length that is no number', code({ rest: `${NAMES}80A1x` }), 'malformed_field'],
    ['a field beyond the checksum', `${code({})}8001x`, 'missing_checksum'],
    ['half a field behind the checksum', `${code({})}80`, 'malformed_field'],
    ['a checksum inside another field', `000201${field('80', 'xxxx6304ABCD')}`, 'missing_checksum'],
    ['a checksum under another id', `000201${field('64', 'ABCD')}`, 'missing_checksum'],
    ['a checksum before a field that ends alike', '00020163040A1B80040A1B', 'missing_checksum'],
    ['an account without a scheme', code({ account: '26080104test' }), 'not_pix'],
    ['nothing', '', 'missing_checksum'],
  ] as const) {
    it(`${title}: ${problem}`, () => assert.equal(problemOf(text), problem));
  }

  for (const [text, expected] of [
    ['9999999999.99', 999_999_999_999n],
    ['1.', 'malformed_amount'],
    ['.5', 'malformed_amount'],
    ['1,5', 'malformed_amount'],
    ['-1', 'malformed_amount'],
    ['1x', 'malformed_amount'],
    ['x1', 'malformed_amount'],
    ['1.005', 'malformed_amount'],
    ['1.5x', 'malformed_amount'],
    ['99999999999', 'malformed_amount'],
  ] as const) {
    it(`amount "${text}": ${expected}`, () => {
      const parsed = parseBrCode(code({ amount: field('54', text) }));
      assert.equal(parsed.ok ? parsed.brCode.amountMinor : parsed.problem, expected);
    });
  }

  for (const [title, rest, transactionId] of [
    ['no additional data', NAMES, ''],
    ['additional data that cannot be read', `${NAMES}6202ab`, ''],
    ['additional data without a reference', `${NAMES}${field('62', field('04', 'x'))}`, ''],
    ['a reference', `${NAMES}${field('62', field('05', 'order7'))}`, 'order7'],
  ] as const) {
    it(`${title}: transaction id "${transactionId}"`, () => {
      const parsed = parseBrCode(code({ rest }));
      assert.ok(parsed.ok);
      assert.equal(parsed.brCode.transactionId, transactionId);
    });
  }

  for (const [mark, isSingleUse] of [
    ['', false],
    ['010211', false],
    ['010212', true],
  ] as const) {
    it(`field 01 "${mark}": ${isSingleUse ? 'for one payment' : 'for many payments'}`, () => {
      const parsed = parseBrCode(code({ version: `000201${mark}` }));
      assert.ok(parsed.ok);
      assert.equal(parsed.brCode.singleUse, isSingleUse);
    });
  }
});

describe('building a BR Code', () => {
  const CHARGE = { location: 'psp.test/v2/1', amountMinor: 1n, merchantName: 'LOJA', merchantCity: 'RECIFE' };
  const build = (changes: Partial<typeof CHARGE>) => buildDynamicBrCode({ ...CHARGE, ...changes });
  const body = (amount: string) =>
    `00020101021226350014br.gov.bcb.pix2513psp.test/v2/152040000530398654${amount}5802BR5904LOJA6006RECIFE62070503***`;

  for (const [amountMinor, amount] of [
    [1n, '040.01'],
    [99n, '040.99'],
    [100n, '041.00'],
    [123_456n, '071234.56'],
    [999_999_999_999n, '139999999999.99'],
  ] as const) {
    it(`${amountMinor} centavos`, () => assert.equal(build({ amountMinor }), closed(body(amount))));
  }

  for (const location of ['a'.repeat(77), 'x', 'psp.test/pay?to=https://x', '~!'])
    it(`takes the location ${location}`, () => {
      const parsed = parseBrCode(build({ location }));
      assert.equal(parsed.ok && parsed.brCode.location, location);
    });

  for (const [title, changes] of [
    ['no location', { location: '' }],
    ['a location of 78 characters', { location: 'a'.repeat(78) }],
    ['a scheme in capitals', { location: 'HTTPS://psp.test/' }],
    ['another scheme', { location: 'pix://psp.test/' }],
    ['a space in front', { location: ' psp.test/' }],
    ['a space behind', { location: 'psp.test/ ' }],
    ['a letter beyond ASCII', { location: 'psp.test/é' }],
    ['a first letter beyond ASCII', { location: 'épsp.test/' }],
    ['an amount of zero', { amountMinor: 0n }],
    ['an amount below zero', { amountMinor: -1n }],
    ['an amount of fourteen characters', { amountMinor: 1_000_000_000_000n }],
    ['a name of nothing but spaces', { merchantName: '   ' }],
    ['a city without a plain character', { merchantCity: '漢字' }],
  ] as const) {
    it(`refuses ${title}`, () => assert.throws(() => build(changes), RangeError));
  }

  for (const [name, written] of [
    ['  LOJA  ', 'LOJA'],
    ['ABCDEFGHIJKLMNOPQRSTUVWX YZ', 'ABCDEFGHIJKLMNOPQRSTUVWX'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'ABCDEFGHIJKLMNOPQRSTUVWXY'],
    ['CAFÉ\u0007 ~', 'CAFE ~'],
  ] as const) {
    it(`writes the name ${JSON.stringify(name)} as "${written}"`, () => {
      const parsed = parseBrCode(build({ merchantName: name }));
      assert.equal(parsed.ok && parsed.brCode.merchantName, written);
    });
  }
});
