// What the programs of the lab take from their command line, and that each names the option that it does not know.
import assert from 'node:assert/strict';
import { readBenchOptions } from '../../../lab/bench/options.js';
import { BOUNDED, readFuzzOptions } from '../../../lab/fuzz/options.js';
import { readMutantOptions } from '../../../lab/mutants/options.mjs';
import { FAULTS } from '../../../lab/planted-faults/faults/index.mjs';
import { readPlantedOptions } from '../../../lab/planted-faults/options.mjs';

describe('options of the lab', () => {
  it('bench, fuzz, mutants and explore:planted take what they know', () => {
    assert.deepEqual(readBenchOptions(['load', '--quick', '--temporal', 'both', '--count', '500'], ['reads', 'load']), {
      names: ['load'],
      quick: true,
      temporal: ['dev', 'postgres'],
      count: 500,
      help: false,
    });
    assert.deepEqual(readFuzzOptions(['--bounded']), BOUNDED, 'the run of npm test -- long');
    assert.equal(readFuzzOptions(['--bounded', '--count', '7']).count, 7);
    assert.deepEqual(readMutantOptions(['domain', '--minutes', '5']).wanted, ['domain']);
    const shared = [1, 2, 3].flatMap((own) => readPlantedOptions(['--shard', `${own}/3`]).chosen);
    assert.deepEqual(new Set(shared), new Set(FAULTS));
    assert.equal(shared.length, FAULTS.length, 'each is in exactly one shard');
  });

  it('and refuse what they do not', () => {
    assert.throws(() => readBenchOptions(['nothing'], ['reads']), /no benchmark "nothing"/);
    assert.throws(() => readFuzzOptions(['--seeds', '1']), /--seeds/);
    assert.throws(() => readMutantOptions(['--minute', '5']), /--minute/);
    assert.throws(() => readPlantedOptions(['--shard', '3/2']), { name: 'Failure' });
  });
});
