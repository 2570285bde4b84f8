// A process that runs spec files one after the other with mocha and reports each to its parent over IPC.
import { readFileSync } from 'node:fs';
import Mocha from 'mocha';
import { fileStarted, testFailed } from './failed-stack.js';
import { groupOfFile } from './groups.js';
import type { FileReport, RunFile, TestResult } from './messages.js';

// @types/mocha does not declare mocha's option parser.
const { loadOptions } = (await import('mocha/lib/cli/options.cjs' as string)) as {
  loadOptions: (args: readonly string[]) => Mocha.MochaOptions;
};

// Mocha leaves unhandled rejections to the process. Thrown, they fail the running test.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
process.on('message', (message: RunFile) => void run(message).then((report) => process.send?.(report)));
process.on('disconnect', () => process.exit(0));

async function run({ file, mochaArguments }: RunFile): Promise<FileReport> {
  const tests: TestResult[] = [];
  const before = processorMs();
  fileStarted();
  try {
    const options = loadOptions(['--no-config', '--no-package', ...mochaArguments]);
    const mocha = new Mocha({ ...options, forbidOnly: true, reporter: collectInto(tests) });
    mocha.addFile(file);
    await mocha.loadFilesAsync();
    await new Promise<void>((resolve) => void mocha.run(() => resolve()));
    mocha.dispose();
  } catch (error) {
    tests.push({ title: `${groupOfFile(file)}: the file cannot be loaded`, ms: 0, error: textOf(error) });
  }
  const after = processorMs();
  return { tests, ...(before !== undefined && after !== undefined ? { processorMs: after - before } : {}) };
}

/** What this process and its ended children have used of a processor: Node reports only the process itself. */
function processorMs(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // proc(5): utime, stime, cutime and cstime are fields 14 to 17, in hundredths of a second; field 2 may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

/** A reporter that keeps each test's result: mocha takes a class. */
function collectInto(tests: TestResult[]): Mocha.ReporterConstructor {
  return class {
    constructor(runner: Mocha.Runner) {
      const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING } = Mocha.Runner.constants;
      const describe = (test: Mocha.Runnable) => ({ title: test.titlePath().join(' › '), ms: test.duration ?? 0 });
      // A test that a rejection failed goes on, and mocha reports its end as one more failure: the first says why.
      const failed = new Set<Mocha.Runnable>();
      runner.on(EVENT_TEST_PASS, (test) => void tests.push(describe(test)));
      runner.on(EVENT_TEST_FAIL, (test, error) => {
        if (failed.has(test)) return;
        failed.add(test);
        testFailed();
        tests.push({ ...describe(test), error: textOf(error) });
      });
      runner.on(EVENT_TEST_PENDING, (test) => void tests.push({ ...describe(test), isSkipped: true }));
    }
  } as unknown as Mocha.ReporterConstructor;
}

/** The stack; of an assertion it begins with the difference between the two values. */
function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
