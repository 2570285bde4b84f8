// The arithmetic and the words of the benchmarks: what a run says must follow from what it measured.
import assert from 'node:assert/strict';
import { inTurns, median, percentile, ratio } from '../../../lab/bench/measure.js';
import { resultText } from '../../../lab/bench/report.js';
import { type BenchResult, isBroken, verdictOf } from '../../../lab/bench/result.js';

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

  it('every measurement has its turn in each round, and another begins each time; warming up is not counted', async () => {
    const order: string[] = [];
    const measurement = (name: string, waitedMs: number) => () => {
      order.push(name);
      return Promise.resolve({ waitedMs, processorMs: waitedMs / 2 });
    };
    const costs = await inTurns({ a: measurement('a', 2), b: measurement('b', 4) }, { warmUps: 1, rounds: 2 });
    assert.equal(order.join(''), 'baabba');
    assert.deepEqual(costs, {
      a: { waitedMs: [2, 2], processorMs: [1, 1] },
      b: { waitedMs: [4, 4], processorMs: [2, 2] },
    });
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

describe('the report', () => {
  const result: BenchResult = {
    bench: 'reads',
    title: 'Reads',
    ranAt: '2026-11-21T12:00:00.000Z',
    tookSeconds: 61.5,
    machine: '2 × CPU',
    figures: [
      { name: 'growth', value: 1.234, unit: '×', atMost: 1.2, note: 'p99 9 ms' },
      { name: 'round trips', value: 3, unit: 'statements' },
    ],
    tables: [{ title: 'Plans', head: ['read', 'pages'], rows: [['list', '12']] }],
    remarks: ['In turns.'],
  };

  it('says which promise was broken', () => {
    assert.match(resultText(result), /growth +1\.23 × +≤ 1\.2 × +broken +p99 9 ms/);
  });
});
