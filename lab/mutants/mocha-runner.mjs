// Runs Mocha inside Stryker's worker processes. Stryker's own Mocha plugin does not support Mocha 12.
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import Mocha from 'mocha';

/** Shared with the instrumented code: which mutant is active, and which test covers which mutant. */
const context = (globalThis.__stryker__ ??= {});

/** The results of the run under way. Mocha creates a reporter for each run. */
let results = [];

class ResultReporter {
  constructor(runner) {
    results = [];
    let startedAt = Date.now();
    const add = (test, result) => {
      const title = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle();
      results.push({ id: title, name: title, fileName: test.file, timeSpentMs: Date.now() - startedAt, ...result });
      startedAt = Date.now();
    };
    runner.on('pass', (test) => add(test, { status: TestStatus.Success }));
    runner.on('fail', (test, error) =>
      add(test, { status: TestStatus.Failed, failureMessage: error.message || error.stack || 'failed' }),
    );
  }
}

class MochaRunner {
  mocha = null;
  isLoaded = false;
  isDryRun = false;

  static inject = ['options'];

  constructor(options) {
    this.options = options;
  }

  capabilities() {
    // Node caches ES modules, so a mutant in code that runs on import needs a new process.
    return { reloadEnvironment: false };
  }

  async init() {
    this.mocha = new Mocha({ reporter: ResultReporter, timeout: 0 });
    this.mocha.cleanReferencesAfterRun(false);
    for (const file of this.options.mochaRunner.files) this.mocha.addFile(file);
    const runner = this;
    this.mocha.suite.beforeEach('note the test for coverage', function () {
      if (runner.isDryRun) context.currentTestId = this.currentTest?.fullTitle();
    });
  }

  async dryRun({ coverageAnalysis, disableBail }) {
    this.isDryRun = coverageAnalysis === 'perTest';
    const result = await this.run({ disableBail });
    this.isDryRun = false;
    if (result.status === DryRunStatus.Complete && coverageAnalysis !== 'off')
      result.mutantCoverage = context.mutantCoverage;
    return result;
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit, mutantActivation }) {
    context.hitLimit = hitLimit;
    context.hitCount = hitLimit ? 0 : undefined;
    const titles = testFilter?.map((title) => `^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    this.mocha.grep(new RegExp(titles?.join('|') ?? ''));
    return toMutantRunResult(await this.run({ disableBail, mutant: activeMutant.id, mutantActivation }));
  }

  async run({ disableBail, mutant, mutantActivation }) {
    try {
      if (!this.isLoaded) {
        context.activeMutant = mutantActivation === 'static' ? mutant : undefined;
        await this.mocha.loadFilesAsync();
        removeTests(this.mocha.suite, new Set(this.options.mochaRunner.withoutTests));
        this.isLoaded = true;
      }
      setBail(this.mocha.suite, !disableBail);
      context.activeMutant = mutant;
      await new Promise((resolve) => {
        this.mocha.run(resolve);
      });
      return (
        determineHitLimitReached(context.hitCount, context.hitLimit) ?? {
          status: DryRunStatus.Complete,
          tests: results,
        }
      );
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error?.stack ?? error) };
    }
  }

  async dispose() {}
}

/** Removes the tests with these titles. */
function removeTests(suite, titles) {
  suite.tests = suite.tests.filter(({ title }) => !titles.has(title));
  for (const child of suite.suites) removeTests(child, titles);
}

function setBail(suite, bail) {
  suite.bail(bail);
  for (const child of suite.suites) setBail(child, bail);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'mocha-12', MochaRunner)];
