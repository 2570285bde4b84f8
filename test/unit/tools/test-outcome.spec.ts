// The end of `npm test`'s output: what it names and what it counts.
import assert from 'node:assert/strict';
import { add, failed, isGreen, NOTHING, PASSED, summarise } from '../../../tools/test-run/outcome.js';

describe('the end of a test run’s output', () => {
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

  it('green is: something ran, nothing failed', () => {
    assert.deepEqual([isGreen(NOTHING), isGreen(PASSED), isGreen(add(PASSED, failed('x', 'y')))], [false, true, false]);
    assert.match(summarise(NOTHING, 0), /No test matched/);
  });
});
