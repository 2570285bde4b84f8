// Handles activities that no workflow of the gateway schedules: someone scheduled them by hand. They do nothing and
// raise an alert.
import { ApplicationFailure } from '@temporalio/activity';
import { MissingRowError } from '../store/missing-row.js';
import { CLOCKS_DIFFER_MS } from './dated.js';
import type { AlertStore } from './payments/alerts.js';
import { raiseIntrusion } from './payments/proven.js';

const FORGED_STEP = 'ForgedStep';
const NOT_REACHED = 'NotReached';

/** Not retried: no workflow of the gateway schedules this. `what` contains nothing from the caller's input. */
export function forged(what: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(what, FORGED_STEP);
}

/**
 * Throws before an instant (RFC 3339). The gateway's own timer fires after it: tried again, the step passes even if the
 * clocks differ by more than they should.
 */
export function assertReached(instant: string, at: string, what: string): void {
  if (Date.parse(at) + CLOCKS_DIFFER_MS < Date.parse(instant)) throw ApplicationFailure.retryable(what, NOT_REACHED);
}

const WHAT: Readonly<Record<string, string>> = {
  DepositMissing: 'for a deposit that does not exist',
  WithdrawalMissing: 'for a withdrawal that does not exist',
  RuleChangeMissing: 'for a change of rules that does not exist',
  [NOT_REACHED]: 'before its time, or by clocks that differ',
};

/** These raise their own alert. They may also look for the row of a creation, which may not exist. */
const LOADS: readonly string[] = ['loadDeposit', 'loadWithdrawal'];

type Activity = (input: object) => Promise<unknown>;

/** The same activities; a call that the gateway itself never makes raises an alert. */
export function noticingForged<Activities extends object>(alerts: AlertStore, activities: Activities): Activities {
  const noticing = (name: string, activity: Activity) => async (input: object) => {
    const notice = async (what: string) => {
      const { operationId: operation, ...said } = (input ?? {}) as Partial<Record<string, unknown>>;
      const object = said['id'] ?? said['changeId'] ?? said['eventId'];
      await raiseIntrusion(alerts, 'STEP_FORGED', { operation, object, what: `${name} was called ${what}` });
    };
    try {
      const answer = await activity(input);
      // The panel and the command store an act before they send its id to a workflow.
      if (isUnknownAct(answer)) await notice('with an act that nobody stored');
      return answer;
    } catch (error) {
      const what = LOADS.includes(name) ? null : whatOf(error);
      if (what !== null) await notice(what);
      throw error;
    }
  };
  const named = Object.entries(activities as Record<string, Activity>);
  return Object.fromEntries(named.map(([name, activity]) => [name, noticing(name, activity)])) as Activities;
}

/** `null` if it may happen to the gateway's own workflows. */
function whatOf(error: unknown): string | null {
  if (error instanceof MissingRowError) return WHAT[`${error.row}Missing`] ?? null;
  if (!(error instanceof ApplicationFailure)) return null;
  return error.type === FORGED_STEP ? `by hand: ${error.message}` : (WHAT[error.type ?? ''] ?? null);
}

/** The outcome of a step for a person, and the answer about a change of rules. */
function isUnknownAct(answer: unknown): boolean {
  const { outcome, kind } = (answer ?? {}) as { readonly outcome?: unknown; readonly kind?: unknown };
  const inner = (outcome as { readonly kind?: unknown } | null | undefined)?.kind;
  return [outcome, kind, inner].includes('unknown_act');
}
