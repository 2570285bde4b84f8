// The end of `npm test`'s output: what it names, what it counts, and which files get a second try.
import assert from 'node:assert/strict';
import {
  add,
  type Attempt,
  failed,
  filesToRepeat,
  isGreen,
  NOTHING,
  PASSED,
  settle,
  summarise,
} from '../../../tools/test-run/outcome.js';

describe('the last words of a test run', () => {
  it('the counts are the last line', () => {
    assert.equal(summarise(add(PASSED, PASSED), 2_000), '\nTook 2.0 s.\n2 passed, 0 failed');
  });

  it('a failure is named once more, with its file and the beginning of its error', () => {
    const error = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    const shown = summarise(
      { ...NOTHING, passed: 3, failures: [{ file: 'dist/test/unit/a.spec.js', title: 'a › b', error }] },
      0,
    );
    assert.match(shown, /^\n✗ dist\/test\/unit\/a\.spec\.js: a › b\n {4}line 0\n/);
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

  it('what passed only on its second try is said, and is green', () => {
    const shown = summarise({ passed: 3, failures: [], unstable: [failure('a', 'was late')] }, 0);
    assert.match(
      shown,
      /^\n! passed only when its file was run again: a: a › test\n {4}was late\n[^]*3 passed, 0 failed$/,
    );
    assert.equal(isGreen({ passed: 3, failures: [], unstable: [failure('a', 'was late')] }), true);
  });
});

describe('the second try of files that failed', () => {
  const first: Attempt = { passedIn: { a: 5, b: 7 }, skipped: 0, failures: [failure('a', 'one'), failure('a', 'two')] };

  it('is of some files that failed: not of many, and not where something failed outside of any file', () => {
    const attempt = (...files: string[]): Attempt => ({ ...first, failures: files.map((file) => failure(file, 'x')) });
    assert.deepEqual(
      [attempt(), attempt('a', 'a', 'b', 'c'), attempt('a', 'b', 'c', 'd'), attempt('a', '')].map(filesToRepeat),
      [[], ['a', 'b', 'c'], [], []],
    );
  });

  it('without one, the first counts', () => {
    assert.deepEqual(settle(first, null), { passed: 12, failures: first.failures, unstable: [] });
  });

  it('passed: its tests count once, and what failed before is unstable', () => {
    assert.deepEqual(settle(first, { passedIn: { a: 6 }, skipped: 0, failures: [] }), {
      passed: 13,
      failures: [],
      unstable: first.failures,
    });
  });

  it('failed again: failed, with the second error', () => {
    const second: Attempt = { passedIn: { a: 5 }, skipped: 0, failures: [failure('a', 'again')] };
    assert.deepEqual(settle(first, second), { passed: 12, failures: second.failures, unstable: [] });
  });

  it('died: failed', () => {
    const outcome = settle(first, {
      passedIn: {},
      skipped: 0,
      failures: [{ file: '', title: 'the group', error: 'did not end' }],
    });
    assert.equal(isGreen(outcome), false);
  });
});

function failure(file: string, error: string) {
  return { file, title: `${file} › test`, error };
}
