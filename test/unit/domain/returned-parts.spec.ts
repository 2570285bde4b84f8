// Returns as the provider reports them, against those in the books: one return is booked once, whoever tells of it.
import assert from 'node:assert/strict';
import type { ReturnedPart } from '../../../domain/bank-movements.js';
import { comparedReturns } from '../../../domain/payments/returns.js';

const D = (digit: string) => `D${digit.repeat(31)}`;
const entered = (reference: string, amountMinor = 300n) =>
  ({ of: 'E1', reference, amountMinor, isUnconfirmed: true }) as const;
const reported = (reference: string, returnId?: string) => ({
  reference,
  amountMinor: 300n,
  ...(returnId === undefined ? {} : { returnId }),
});
type Reported = ReturnType<typeof reported>;

describe('returns that are reported', () => {
  const CASES: [name: string, known: ReturnedPart, done: Reported[], added: string[], confirmed: string[]][] = [
    ['by the id in PIX that people entered', entered(D('1')), [reported('R1', D('1'))], [], ['R1']],
    ['without an id in PIX, with the amount', entered(D('1')), [reported('R1')], [], ['R1']],
    ['and were entered without an id', entered('csh_1'), [reported('R1', D('1'))], [], ['R1']],
    ['under another id in PIX', entered(D('1')), [reported('R1', D('2'))], ['R1'], []],
    ['twice, of which one was entered', entered(D('1')), [reported('R1'), reported('R2')], ['R2'], ['R1']],
    ['and entered as the second', entered(D('2')), [reported('R1', D('1')), reported('R2', D('2'))], ['R1'], ['R2']],
    ['again', { of: 'E1', reference: 'R1', amountMinor: 300n }, [reported('R1', D('1'))], [], []],
  ];
  for (const [name, known, done, added, confirmed] of CASES)
    it(`${name}: ${added.length} to book, ${confirmed.length} confirmed`, () => {
      const compared = comparedReturns([known], done);
      assert.deepEqual(
        [compared.added.map(({ reference }) => reference), compared.confirmed.map((one) => one.reported.reference)],
        [added, confirmed],
      );
      const after = comparedReturns(
        [
          ...(compared.confirmed.length > 0 ? [] : [known]),
          ...compared.confirmed.map((one) => one.reported),
          ...compared.added.map((one) => ({ ...one, of: 'E1' })),
        ],
        done,
      );
      assert.deepEqual([after.added, after.confirmed], [[], []], 'a repeat changes nothing');
    });

  it('with another amount than people entered are neither', () => {
    const { added, differing, confirmed } = comparedReturns([entered('R1', 200n)], [reported('R1')]);
    assert.deepEqual([added, differing.length, confirmed], [[], 1, []]);
  });
});
