// What a test run came to, and its last words: each failure named once more, for a reader who has only the end of the output.
import { formatDuration } from '../bootstrap/progress.mjs';

/** A test, hook or check that failed; `file` is the compiled file from the project's root, '' outside of any test. */
export interface FailedTest {
  readonly file: string;
  readonly title: string;
  readonly error: string;
}

export interface Outcome {
  readonly passed: number;
  readonly failures: readonly FailedTest[];
  /** What failed at first and passed when its file was run again by itself: counted as passed, and said. */
  readonly unstable: readonly FailedTest[];
}

/** What mocha said of some files; passed tests are counted by file. */
export interface Attempt {
  readonly passedIn: Readonly<Record<string, number>>;
  readonly skipped: number;
  readonly failures: readonly FailedTest[];
}

export const NOTHING: Outcome = { passed: 0, failures: [], unstable: [] };
export const PASSED: Outcome = { ...NOTHING, passed: 1 };

/** More files than this do not fail by accident. */
const MOST_REPEATED_FILES = 3;
const SHOWN_FAILURES = 12;
const SHOWN_ERROR_LINES = 12;

/** One failure outside of any test. */
export function failed(title: string, error: unknown): Outcome {
  return { ...NOTHING, failures: [{ file: '', title, error: error instanceof Error ? error.message : String(error) }] };
}

export function add(a: Outcome, b: Outcome): Outcome {
  return {
    passed: a.passed + b.passed,
    failures: [...a.failures, ...b.failures],
    unstable: [...a.unstable, ...b.unstable],
  };
}

/** The files that deserve a second try: some that failed, unless many did or something failed outside of any file. */
export function filesToRepeat({ failures }: Attempt): string[] {
  const files = [...new Set(failures.map(({ file }) => file))];
  return files.length > MOST_REPEATED_FILES || files.includes('') ? [] : files;
}

/** The outcome of a first attempt and of the second one of the files that failed in it (null: there was none). */
export function settle(first: Attempt, second: Attempt | null): Outcome {
  const passed = ({ passedIn }: Attempt, isCounted = (_file: string) => true) =>
    Object.entries(passedIn).reduce((sum, [file, count]) => (isCounted(file) ? sum + count : sum), 0);
  if (second === null) return { passed: passed(first), failures: first.failures, unstable: [] };
  const repeated = new Set(first.failures.map(({ file }) => file));
  const failsAgain = new Set(second.failures.map(({ file }) => file));
  return {
    passed: passed(first, (file) => !repeated.has(file)) + passed(second),
    failures: second.failures,
    unstable: first.failures.filter(({ file }) => !failsAgain.has(file)),
  };
}

/** True when something ran and nothing failed. */
export function isGreen(outcome: Outcome): boolean {
  return outcome.passed > 0 && outcome.failures.length === 0;
}

/** The end of the output: failures with the beginning of their errors, what was unstable, the duration, and the counts in the last line. */
export function summarise({ passed, failures, unstable }: Outcome, durationMs: number): string {
  const nothingRan = passed + failures.length === 0;
  return [
    ...named('✗', failures),
    ...named('! passed only when its file was run again:', unstable),
    '',
    `${nothingRan ? 'No test matched. ' : ''}Took ${formatDuration(durationMs)}.`,
    `${passed} passed, ${failures.length} failed`,
  ].join('\n');
}

function named(mark: string, tests: readonly FailedTest[]): string[] {
  const more = tests.length - SHOWN_FAILURES;
  return [
    ...tests.slice(0, SHOWN_FAILURES).flatMap((test) => describe(mark, test)),
    ...(more > 0 ? [`… and ${more} more above`] : []),
  ];
}

function describe(mark: string, { file, title, error }: FailedTest): string[] {
  const lines = error.split('\n');
  const more = lines.length > SHOWN_ERROR_LINES ? ['…'] : [];
  return [
    '',
    `${mark} ${file === '' ? '' : `${file}: `}${title}`,
    ...[...lines.slice(0, SHOWN_ERROR_LINES), ...more].map((line) => `    ${line}`),
  ];
}
