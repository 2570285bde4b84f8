// Proxies of activities: each call has a summary for the Temporal UI, and brings the clock of its workflow's operation.
import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Undated } from '../../contract/temporal/payment-steps.js';
import { providerQueueOf } from '../../contract/temporal/workers.js';
import { operationClock } from './clock.js';

/** The options that one call may override: the time limit for all its tries together, and the pauses between them. */
export type CallOptions = Pick<ActivityOptions, 'scheduleToCloseTimeout' | 'retry'>;

/** Activities that are called with a summary. The Temporal UI shows it in the history and while the call is pending. */
export type StepsWithSummary<Activities> = {
  readonly [Name in keyof Activities]: Activities[Name] extends (input: infer Input) => infer Result
    ? (summary: string, input: Undated<Input>, options?: CallOptions) => Result
    : never;
};

interface Callable {
  executeWithOptions(options: object, args: readonly unknown[]): unknown;
}

/** The step acts by the clock of its workflow's operation, if that has one. */
function byClock(input: unknown): unknown {
  const clock = operationClock();
  return clock === null ? input : { ...(input as object), clock };
}

/** The options that follow from a call's input. */
type OptionsOf = (input: unknown) => Pick<ActivityOptions, 'taskQueue'>;

function summarised<Activities>(activities: object, optionsOf: OptionsOf = () => ({})): StepsWithSummary<Activities> {
  const call =
    (name: string) =>
    (summary: string, input: unknown, options: CallOptions = {}) =>
      (activities as Record<string, Callable>)[name]?.executeWithOptions({ summary, ...optionsOf(input), ...options }, [
        byClock(input),
      ]);
  return new Proxy({}, { get: (_, name) => call(String(name)) }) as StepsWithSummary<Activities>;
}

export function activities<Activities>(options: ActivityOptions): StepsWithSummary<Activities> {
  return summarised(proxyActivities<Activities>(options));
}

/** Steps on the queue of the provider that they call. */
export function providerActivities<Activities>(options: ActivityOptions): StepsWithSummary<Activities> {
  const queueOf = (input: unknown) => ({ taskQueue: providerQueueOf(input as { readonly provider: string }) });
  return summarised(
    proxyActivities<Activities>({ cancellationType: 'WAIT_CANCELLATION_COMPLETED', ...options }),
    queueOf,
  );
}

export function localActivities<Activities>(options: LocalActivityOptions): StepsWithSummary<Activities> {
  return summarised(proxyLocalActivities<Activities>(options));
}
