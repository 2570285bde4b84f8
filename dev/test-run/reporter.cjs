// Mocha's readable output, plus the run's counts and failures in the file that TEST_RESULT_FILE names (mocha takes one reporter only).
// CommonJS, because mocha loads a reporter with `require`.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => failures.push(describeFailure(test, error)));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, pending } = runner.stats;
      writeFileSync(process.env.TEST_RESULT_FILE, JSON.stringify({ passed: passes, skipped: pending, failures }));
    });
  }
};

function describeFailure(test, error) {
  const file = test.file === undefined ? '' : relative(process.cwd(), test.file);
  return { file, title: test.titlePath().join(' › '), error: String(error?.stack ?? error?.message ?? error) };
}
