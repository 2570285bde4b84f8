// The result of a test run, and the end of its output: each failure named once more, for a reader who sees only the
// end.
import { formatDuration } from '../bootstrap/progress.mjs';

/** A test, hook or check that failed; `file` is the spec file from the project's root, '' outside of any test. */
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

export function add(...outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** True when something ran and nothing failed. */
export function isGreen(outcome: Outcome): boolean {
  return outcome.passed > 0 && outcome.failures.length === 0;
}

/** The end of the output: failures with the beginning of their errors, the duration, and the counts in the last line. */
export function summarise({ passed, failures }: Outcome, durationMs: number): string {
  const nothingRan = passed + failures.length === 0;
  const more = failures.length - SHOWN_FAILURES;
  return [
    ...failures.slice(0, SHOWN_FAILURES).flatMap(describe),
    ...(more > 0 ? [`… and ${more} more above`] : []),
    '',
    `${nothingRan ? 'No test matched. ' : ''}Took ${formatDuration(durationMs)}.`,
    `${passed} passed, ${failures.length} failed`,
  ].join('\n');
}

function describe({ file, title, error }: FailedTest): string[] {
  const lines = error.split('\n');
  const more = lines.length > SHOWN_ERROR_LINES ? ['…'] : [];
  return [
    '',
    `✗ ${file === '' ? '' : `${file}: `}${title}`,
    ...[...lines.slice(0, SHOWN_ERROR_LINES), ...more].map((line) => `    ${line}`),
  ];
}
