// Mocha's readable output, plus the run's counts and failures in the file that TEST_RESULT_FILE names (mocha takes one reporter only).
// CommonJS, because mocha loads a reporter with `require`.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const [failures, passedIn] = [[], {}];
    runner.on(Runner.constants.EVENT_TEST_PASS, (test) => (passedIn[fileOf(test)] = (passedIn[fileOf(test)] ?? 0) + 1));
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => failures.push(describeFailure(test, error)));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      writeFileSync(
        process.env.TEST_RESULT_FILE,
        JSON.stringify({ passedIn, skipped: runner.stats.pending, failures }),
      );
    });
  }
};

const fileOf = ({ file }) => (file === undefined ? '' : relative(process.cwd(), file));

function describeFailure(test, error) {
  return {
    file: fileOf(test),
    title: test.titlePath().join(' › '),
    error: String(error?.stack ?? error?.message ?? error),
  };
}
