// Calls of activities that no workflow of the gateway makes: someone scheduled them by hand. They do nothing, and
// intercepted.ts raises an alert.
import { ApplicationFailure } from '@temporalio/activity';
import type { RecordWords } from '../domain/alert-records.js';

const FORGED_STEP = 'ForgedStep';
const NOT_REACHED = 'NotReached';
/** By how much PostgreSQL's clock may be behind Temporal's, whose timers start the steps. */
export const CLOCKS_DIFFER_MS = 5_000;

/** Not retried: no workflow of the gateway schedules this. */
export function forged(what: RecordWords['byHand']): ApplicationFailure {
  return ApplicationFailure.nonRetryable(what, FORGED_STEP);
}

/**
 * Throws before an instant (RFC 3339). The gateway's own timer fires after it: tried again, the step passes even if the
 * clocks differ by more than they should.
 */
export function assertReached(instant: string, at: string, what: string): void {
  if (Date.parse(at) + CLOCKS_DIFFER_MS < Date.parse(instant)) throw ApplicationFailure.retryable(what, NOT_REACHED);
}

const WHY: Readonly<Record<string, RecordWords['forgedHow']>> = {
  DepositMissing: 'for a deposit that does not exist',
  WithdrawalMissing: 'for a withdrawal that does not exist',
  RuleChangeMissing: 'for a change of rules that does not exist',
  [NOT_REACHED]: 'before its time, or by clocks that differ',
};

/** These raise their own alert. They may also look for the row of a creation, which may not exist. */
const LOADS: readonly string[] = ['loadDeposit', 'loadWithdrawal'];

/** How a step was called: with what the step itself noticed, or otherwise. */
export type ForgedCall = Pick<RecordWords, 'forgedHow'> | Pick<RecordWords, 'byHand'>;

/** How the activity was called, if the gateway's own workflows never call it so; `null` if they may. */
export function whyForged(
  name: string,
  ended: { readonly answer: unknown } | { readonly failure: unknown },
): ForgedCall | null {
  // The panel and the command store an act before they send its id to a workflow.
  if ('answer' in ended) return isUnknownAct(ended.answer) ? { forgedHow: 'with an act that nobody stored' } : null;
  const { failure } = ended;
  if (LOADS.includes(name) || !(failure instanceof ApplicationFailure)) return null;
  // Only `forged` makes such a failure.
  if (failure.type === FORGED_STEP) return { byHand: failure.message as RecordWords['byHand'] };
  const forgedHow = WHY[failure.type ?? ''];
  return forgedHow === undefined ? null : { forgedHow };
}

/** The outcome of a step for a person, and the answer about a change of rules. */
function isUnknownAct(answer: unknown): boolean {
  const { outcome, kind } = (answer ?? {}) as { readonly outcome?: unknown; readonly kind?: unknown };
  const inner = (outcome as { readonly kind?: unknown } | null | undefined)?.kind;
  return [outcome, kind, inner].includes('unknown_act');
}
