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
}

export const NOTHING: Outcome = { passed: 0, failures: [] };
export const PASSED: Outcome = { passed: 1, failures: [] };

const SHOWN_FAILURES = 12;
const SHOWN_ERROR_LINES = 12;

/** One failure outside of any test. */
export function failed(title: string, error: unknown): Outcome {
  return { passed: 0, failures: [{ file: '', title, error: error instanceof Error ? error.message : String(error) }] };
}

export function add(a: Outcome, b: Outcome): Outcome {
  return { passed: a.passed + b.passed, failures: [...a.failures, ...b.failures] };
}

/** True when something ran and nothing failed. */
export function isGreen(outcome: Outcome): boolean {
  return outcome.passed > 0 && outcome.failures.length === 0;
}

/** The end of the output: the failures with the beginning of their errors, the duration, and the counts in the last line. */
export function summarise({ passed, failures }: Outcome, durationMs: number): string {
  const nothingRan = passed + failures.length === 0;
  return [
    ...failures.slice(0, SHOWN_FAILURES).flatMap(describe),
    ...(failures.length > SHOWN_FAILURES ? [`… and ${failures.length - SHOWN_FAILURES} more above`] : []),
    '',
    `${nothingRan ? 'No test matched. ' : ''}Took ${formatDuration(durationMs)}.`,
    `${passed} passed, ${failures.length} failed`,
  ].join('\n');
}

function describe({ file, title, error }: FailedTest): string[] {
  const lines = error.split('\n');
  const more = lines.length > SHOWN_ERROR_LINES ? ['…'] : [];
  return ['', `✗ ${file === '' ? '' : `${file}: `}${title}`, ...[...lines.slice(0, SHOWN_ERROR_LINES), ...more].map((line) => `    ${line}`)];
}
