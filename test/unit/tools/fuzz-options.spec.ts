// What `npm run fuzz` understands, and that it names the option it does not.
import assert from 'node:assert/strict';
import { asksForHelp, BOUNDED, HELP, readFuzzOptions } from '../../../lab/fuzz/options.js';

describe('the options of npm run fuzz', () => {
  it(
    '--bounded is the run of npm test -- long: once, with a fixed seed; without it the run is long, and its seed ' +
      'another each time',
    () => {
      assert.deepEqual(readFuzzOptions(['--bounded']), BOUNDED);
      const [one, other] = [readFuzzOptions([]), readFuzzOptions([])];
      assert.ok(one.repeatSeconds! > 600 && !one.deterministic);
      assert.notEqual(one.seed, other.seed);
    },
  );

  it('each option wins over the default, also over --bounded', () => {
    const { count, repeatSeconds, limitSeconds, seed } = readFuzzOptions([
      '--bounded',
      '--count',
      '7',
      '--seconds',
      '9',
      '--seed',
      '0',
    ]);
    assert.deepEqual(
      { count, repeatSeconds, limitSeconds, seed },
      { count: 7, repeatSeconds: 9, limitSeconds: 9, seed: 0 },
    );
  });

  it('--help names every option', () => {
    assert.ok(asksForHelp(['--help']) && asksForHelp(['-h', '--count', '7']) && !asksForHelp(['--count', '7']));
    for (const option of ['--count', '--seconds', '--seed', '--bounded']) assert.ok(HELP.includes(option), option);
  });

  for (const args of [['--count', '0'], ['--seconds', '1.5'], ['--seed', 'x'], ['--seeds', '1'], ['more']]) {
    it(`${args.join(' ')} is refused in one line that names it`, () => {
      assert.throws(
        () => readFuzzOptions(args),
        (error: Error) => error.name === 'Failure' && error.message.includes(args[0]!) && !error.message.includes('\n'),
      );
    });
  }
});
