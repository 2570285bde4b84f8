// The arithmetic and the words of the benchmarks: what a run says must follow from what it measured.
import assert from 'node:assert/strict';
import { median, percentile, ratio } from '../../../lab/bench/measure.js';
import { isBroken, verdictOf } from '../../../lab/bench/result.js';

describe('measuring', () => {
  it('percentiles are samples, whatever the order they came in', () => {
    const samples = [5, 1, 4, 2, 3];
    assert.equal(median(samples), 3);
    assert.equal(percentile(samples, 0.99), 5);
    assert.equal(percentile(samples, 0), 1);
    assert.equal(percentile([7], 0.5), 7);
    assert.throws(() => median([]), RangeError);
    assert.equal(ratio([2, 4, 6], [1, 2, 3]), 2);
  });

  for (const [value, promise, verdict] of [
    [15, { atMost: 15 }, 'kept'],
    [15.1, { atMost: 15 }, 'broken'],
    [0.6, { atLeast: 0.6 }, 'kept'],
    [0.59, { atLeast: 0.6 }, 'broken'],
    [NaN, { atMost: 15 }, 'broken'],
    [NaN, {}, 'no promise'],
  ] as const) {
    it(`${value} against ${JSON.stringify(promise)} is ${verdict}`, () => {
      const figure = { name: 'n', value, unit: 'ms', ...promise };
      assert.equal(verdictOf(figure), verdict);
      assert.equal(isBroken({ figures: [figure], tables: [], remarks: [] }), verdict === 'broken');
    });
  }
});
