// Mocha's readable output, plus the counts of the run in the file that TEST_RESULT_FILE names (mocha takes one reporter only).
// CommonJS, because mocha loads a reporter with `require`.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(process.env.TEST_RESULT_FILE, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
