// What `npm run bench -- …` understands.
import assert from 'node:assert/strict';
import { readBenchOptions } from '../../../lab/bench/options.js';

const KNOWN = ['reads', 'load'];
const read = (...args: string[]) => readBenchOptions(args, KNOWN);

describe('options of the benchmarks', () => {
  it('without any: all of them, on the dev server, in full', () =>
    assert.deepEqual(read(), { names: [], quick: false, temporal: ['dev'], help: false }));

  it('names, sizes and the kind of Temporal', () => {
    assert.deepEqual(read('load', '--quick', '--temporal', 'postgres', '--count', '500'), {
      names: ['load'],
      quick: true,
      temporal: ['postgres'],
      count: 500,
      help: false,
    });
    assert.deepEqual(read('--temporal', 'both').temporal, ['dev', 'postgres']);
  });

  for (const [args, message] of [
    [['nothing'], /no benchmark "nothing".*reads, load/],
    [['--temporal', 'sqlite'], /no Temporal "sqlite".*dev, postgres, both/],
    [['--count', '1e3'], /--count takes a number from 1 on/],
    [['--slow'], /--quick, --temporal, --count, --help/],
  ] as const) {
    it(`${args.join(' ')}: says what there is`, () => assert.throws(() => read(...args), message));
  }
});
