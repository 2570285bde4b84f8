// What `npm run fuzz` understands, and that it names the option it does not.
import assert from 'node:assert/strict';
import { readFuzzOptions } from '../../../dev/fuzz/options.js';

describe('the options of npm run fuzz', () => {
  it('--bounded stays under a minute, without it the run is long', () => {
    assert.ok(readFuzzOptions(['--bounded']).seconds < 60);
    assert.ok(readFuzzOptions([]).seconds > 600);
  });

  it('each option wins over the default, also over --bounded', () => {
    assert.deepEqual(readFuzzOptions(['--bounded', '--count', '7', '--seconds', '9', '--seed', '0']), { count: 7, seconds: 9, seed: 0 });
  });

  for (const args of [['--count', '0'], ['--seconds', '1.5'], ['--seed', 'x'], ['--seeds', '1'], ['more']]) {
    it(`${args.join(' ')} is refused in one line that names it`, () => {
      assert.throws(() => readFuzzOptions(args), (error: Error) => error.name === 'Failure' && error.message.includes(args[0]!) && !error.message.includes('\n'));
    });
  }
});
