// The end of `npm test`'s output: what it names and what it counts.
import assert from 'node:assert/strict';
import { add, failed, isGreen, NOTHING, PASSED, summarise } from '../../../tools/test-run/outcome.js';

describe('the end of a test run’s output', () => {
  it('the counts are the last line', () => {
    assert.equal(summarise(add(PASSED, PASSED), 2_000), '\nTook 2.0 s.\n2 passed, 0 failed');
  });

  it('a failure is named once more, with its file and the beginning of its error', () => {
    const error = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    const shown = summarise(
      { ...NOTHING, passed: 3, failures: [{ file: 'test/unit/a.spec.ts', title: 'a › b', error }] },
      0,
    );
    assert.match(shown, /^\n✗ test\/unit\/a\.spec\.ts: a › b\n {4}line 0\n/);
    assert.match(shown, / {4}line 11\n {4}…\n/);
    assert.doesNotMatch(shown, /line 12/);
    assert.match(shown, /3 passed, 1 failed$/);
  });

  it('many failures do not hide the counts', () => {
    const failures = Array.from({ length: 30 }, () => failed('types', new Error('no')).failures).flat();
    const shown = summarise({ ...NOTHING, failures }, 0);
    assert.equal(shown.split('✗ types').length - 1, 12);
    assert.match(shown, /… and 18 more above\n[^]*0 passed, 30 failed$/);
  });

  it('green is: something ran, nothing failed', () => {
    assert.deepEqual([isGreen(NOTHING), isGreen(PASSED), isGreen(add(PASSED, failed('x', 'y')))], [false, true, false]);
    assert.match(summarise(NOTHING, 0), /No test matched/);
  });
});
