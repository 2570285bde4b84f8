// Amounts between minor units and `\d{1,10}\.\d{2}`.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isWireAmount,
  MAX_WIRE_AMOUNT_MINOR,
  parseLenientAmount,
  parseWireAmount,
  toWireAmount,
} from '../../../providers/pix-api/wire.js';

describe('wire amounts', () => {
  for (const [minor, text] of [
    [0n, '0.00'],
    [1n, '0.01'],
    [10n, '0.10'],
    [100n, '1.00'],
    [123_456n, '1234.56'],
    [MAX_WIRE_AMOUNT_MINOR, '9999999999.99'],
  ] as const) {
    it(`${minor} is ${text}, both ways`, () => {
      assert.equal(toWireAmount(minor), text);
      assert.equal(parseWireAmount(text), minor);
    });
  }

  for (const text of [
    '',
    '1',
    '1.0',
    '1.000',
    '1,00',
    '-1.00',
    '+1.00',
    ' 1.00',
    '1.00\n',
    '1e2',
    '.50',
    '12345678901.00',
    'NaN',
    '١.٠٠',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseWireAmount(text), null));
  }

  for (const [text, minor] of [
    ['1.0', 100n],
    ['130.4', 13_040n],
    ['130.44', 13_044n],
    ['1', null],
    ['1.', null],
    ['1,0', null],
    ['.5', null],
    ['1.000', null],
    ['12345678901.0', null],
    ['-1.0', null],
  ] as const)
    it(`as a bank writes it, ${text} is ${minor}`, () => assert.equal(parseLenientAmount(text), minor));

  it('survives the way there and back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: MAX_WIRE_AMOUNT_MINOR }),
        (minor) => parseWireAmount(toWireAmount(minor)) === minor,
      ),
    );
  });

  it('throw on an amount that does not fit', () => {
    assert.throws(() => toWireAmount(MAX_WIRE_AMOUNT_MINOR + 1n), RangeError);
    assert.throws(() => toWireAmount(-1n), RangeError);
  });

  it('can send positive amounts only', () =>
    assert.deepEqual([-1n, 0n, 1n, MAX_WIRE_AMOUNT_MINOR, MAX_WIRE_AMOUNT_MINOR + 1n].map(isWireAmount), [
      false,
      false,
      true,
      true,
      false,
    ]));
});
