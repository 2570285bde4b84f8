// The workflow of somebody who reaches Temporal: it schedules any activity of anybody's queue, with any argument.
import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';

export interface ForgedCall {
  readonly taskQueue: string;
  readonly name: string;
  readonly input: unknown;
}

type Activity = (input: unknown) => Promise<unknown>;

/** Schedules the calls one after another. Answers each result, or the type of its failure. */
export async function scheduleByHand(calls: readonly ForgedCall[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { taskQueue, name, input } of calls) {
    const activities = proxyActivities<Record<string, Activity>>({
      taskQueue,
      startToCloseTimeout: '8s',
      retry: { maximumAttempts: 1 },
    });
    try {
      answers.push(await activities[name]?.(input));
    } catch (error) {
      const cause = error instanceof ActivityFailure ? error.cause : error;
      answers.push({ failed: cause instanceof ApplicationFailure ? cause.type : String(cause) });
    }
  }
  return answers;
}
