// Statements of a whole month against the books: what was done as documented matches, and one wrong line is found.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BookedMovement, type DatedLine, unmatchedOf } from '../../../domain/statement-matching.js';
import {
  FIRST_DAY,
  LAST_DAY,
  monthOf,
  STATEMENT_STYLES,
  type StatementStyle,
  WRONG_LINES,
} from '../../support/statement-month.js';

const MONTH = { first: FIRST_DAY, last: LAST_DAY };

describe('a month of statements', () => {
  for (const style of Object.keys(STATEMENT_STYLES) as StatementStyle[]) {
    it(`${style}: after the documented acts nothing differs`, () =>
      fc.assert(
        fc.property(monthOf(style), ({ lines, movements }) => {
          assert.deepEqual(unmatchedOf(lines, movements, MONTH), []);
        }),
      ));
    for (const [title, spoil] of Object.entries(WRONG_LINES))
      it(`${style}: ${title} → found`, () =>
        fc.assert(
          fc.property(monthOf(style), fc.nat(), ({ lines, movements }, number) => {
            fc.pre(lines.length > 0);
            const found = unmatchedOf(spoil(lines, number % lines.length), movements, MONTH);
            assert.ok(found.some(({ comparison }) => comparison !== 'undecided'));
          }),
        ));
    it(`${style}: a booking less → found`, () =>
      fc.assert(
        fc.property(monthOf(style), fc.nat(), ({ lines, movements }, number) => {
          fc.pre(movements.length > 0);
          const rest = movements.filter((_, index) => index !== number % movements.length);
          assert.equal(unmatchedOf(lines, rest, MONTH).length, 1);
        }),
      ));
  }
});

describe('a movement without a line', () => {
  const movement = (settledAt: string): BookedMovement => ({
    kind: 'received',
    bankId: 'E1',
    part: '',
    returnId: null,
    document: null,
    amountMinor: 100n,
    settledAt,
    operationId: 'op_1',
    subject: 'dep_1',
  });
  const days = { first: '2026-11-10', last: '2026-11-12' };
  for (const [settledAt, expected] of [
    ['2026-11-10T02:59:59.999Z', []],
    ['2026-11-10T03:00:00.000Z', ['undecided']],
    ['2026-11-10T04:00:00.000Z', ['missing_there']],
    ['2026-11-12T15:00:00.000Z', ['missing_there']],
    ['2026-11-13T01:59:59.999Z', ['missing_there']],
    ['2026-11-13T02:00:00.000Z', ['undecided']],
    ['2026-11-13T03:00:00.000Z', []],
  ] as const)
    it(`of ${settledAt}, days 10 to 12 imported → ${expected.join() || 'not expected'}`, () =>
      assert.deepEqual(
        unmatchedOf([], [movement(settledAt)], days).map(({ comparison }) => comparison),
        expected,
      ));
  it('no day imported → not expected', () =>
    assert.deepEqual(unmatchedOf([], [movement('2026-11-10T15:00:00.000Z')], null), []));

  it('of another return with the same amount: neither is taken for the other', () => {
    const settledAt = '2026-11-11T15:00:00.000Z';
    const returned = (of: string) => ({ kind: 'returned_to_payer', returnId: `D${of.repeat(31)}` }) as const;
    const line: DatedLine = {
      id: 'l',
      day: '2026-11-11',
      amountMinor: 100n,
      settledAt,
      endToEndId: 'E1',
      ...returned('1'),
    };
    const booked = { ...movement(settledAt), part: 'r', ...returned('2') };
    assert.deepEqual(
      unmatchedOf([line], [booked], days).map(({ comparison }) => comparison),
      ['missing_here', 'missing_there'],
    );
  });
});
