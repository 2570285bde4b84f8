// The time of every activity is that of its execution, by the database's clock. Anyone who reaches Temporal can
// schedule an activity, so a time in its input is ignored. A retry, or an execution that had to wait, has a later time.
// In the sandbox it is the time of the operation's own clock, which its workflow passes.
import type { OperationClock } from '../domain/operation-clock.js';
import { OperationClocks } from './operation-clocks.js';
import type { Undated } from '../contract/temporal/payment-steps.js';

/** Milliseconds since 1970. A promise in tests that skip time, because their clock is read over the network. */
export type Clock = () => number | Promise<number>;

/** By how much PostgreSQL's clock may be behind Temporal's, whose timers start the steps. */
export const CLOCKS_DIFFER_MS = 5_000;

type Step = (input: object) => Promise<unknown>;

/** The activities as workflows call them, without the time. */
export type UndatedActivities<Activities> = {
  readonly [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => infer Result
    ? (input: Undated<Input>) => Result
    : never;
};

/** What tells which operation a step is about, and its clock. */
interface OfOperation {
  readonly operationId?: string;
  readonly order?: { readonly operationId?: string };
  readonly clock?: OperationClock;
}

/** The same activities; each gets the time of its execution as `at`, and an `at` from the caller is ignored. */
export function dated<Activities extends object>(
  clock: Clock,
  activities: Activities,
  clocks = new OperationClocks('production'),
): UndatedActivities<Activities> {
  const timeOf = async ({ operationId, order, clock: told }: OfOperation) => {
    const of = operationId ?? order?.operationId;
    const realMs = await clock();
    if (typeof of !== 'string') return realMs;
    clocks.note(of, told);
    return clocks.timeOf(of, realMs);
  };
  const named = Object.entries(activities as Record<string, Step>).map(([name, step]) => [
    name,
    async (input: object) => {
      const { clock: told, ...given } = (input ?? {}) as OfOperation;
      return step({ ...given, at: new Date(await timeOf({ ...given, ...(told && { clock: told }) })).toISOString() });
    },
  ]);
  return Object.fromEntries(named) as UndatedActivities<Activities>;
}
