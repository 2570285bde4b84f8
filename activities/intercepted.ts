// What every activity goes through, whoever calls it: the time of its execution, what its failure says, and the alert
// about a call that no workflow of the gateway makes.
import { ApplicationFailure } from '@temporalio/activity';
import type { Undated } from '../contract/temporal/payment-steps.js';
import { alertOf } from '../domain/alert-records.js';
import type { OperationClock } from '../domain/operation-clock.js';
import { MissingRowError } from '../store/errors.js';
import { type ForgedCall, whyForged } from './forged.js';
import type { OperationClocks } from './operation-clocks.js';
import type { AlertStore } from './alerts.js';
import { raiseIntrusion } from './payments/orders.js';

/** Milliseconds since 1970. A promise in tests that skip time, because their clock is read over the network. */
export type Clock = () => number | Promise<number>;

type Activity = (input: object) => Promise<unknown>;

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

export interface Interception {
  readonly clock: Clock;
  readonly clocks: OperationClocks;
  readonly alerts: AlertStore;
}

/**
 * The same activities. Each gets the time of its execution as `at`; an `at` from the caller is ignored, because anyone
 * who reaches Temporal can schedule an activity. A missing row is a final failure of type `<row>Missing`. A call that
 * the gateway itself never makes raises an alert.
 */
export function intercepted<Activities extends object>(
  given: Interception,
  activities: Activities,
): UndatedActivities<Activities> {
  const named = Object.entries(activities as Record<string, Activity>).map(([name, activity]) => [
    name,
    async (input: object) => {
      try {
        const answer = await activity(await dated(given, input));
        await notice(given.alerts, name, input, whyForged(name, { answer }));
        return answer;
      } catch (error) {
        const failure = error instanceof MissingRowError ? final(error) : error;
        await notice(given.alerts, name, input, whyForged(name, { failure }));
        throw failure;
      }
    },
  ]);
  return Object.fromEntries(named) as UndatedActivities<Activities>;
}

/**
 * With the time by the database's clock; in the sandbox that of the operation's own clock, which its workflow passes. A
 * retry, or an execution that had to wait, has a later time.
 */
async function dated({ clock, clocks }: Interception, input: object): Promise<object> {
  const { clock: told, ...given } = (input ?? {}) as OfOperation;
  const of = given.operationId ?? given.order?.operationId;
  const realMs = await clock();
  if (typeof of !== 'string') return { ...given, at: new Date(realMs).toISOString() };
  clocks.note(of, told);
  return { ...given, at: new Date(clocks.timeOf(of, realMs)).toISOString() };
}

/** A retry cannot help. */
function final({ message, row }: MissingRowError): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, `${row}Missing`);
}

async function notice(alerts: AlertStore, name: string, input: object, why: ForgedCall | null): Promise<void> {
  if (why === null) return;
  const { operationId: operation, ...said } = (input ?? {}) as Partial<Record<string, unknown>>;
  const object = said['id'] ?? said['changeId'] ?? said['eventId'];
  await raiseIntrusion(alerts, { operation, object }, (about) =>
    'byHand' in why
      ? alertOf('STEP_FORGED', 'by_hand', { step: name, ...why, ...about })
      : alertOf('STEP_FORGED', 'called', { step: name, ...why, ...about }),
  );
}
