// Finds open payments and orders whose workflows make no progress and can say nothing: each try of a task ends its
// worker's process, or no worker takes the task. Raises their alert, and ends it when they go on. A timer of every
// worker of the payments queue and not a workflow, because a check that needs a worker's tasks fails with them.
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { raiseAlert } from '../activities/alerts.js';
import type { RunProgress } from '../contract/temporal/scheduled-work.js';
import { alertOf, OBJECT_WORDS } from '../domain/alert-records.js';
import { FAILED_TASKS_ALERTED, progressOf } from '../platform/temporal/open-runs.js';
import { objectsWithAlert, resolveAlerts } from '../store/alerts/alerts.js';
import type { Database } from '../store/database.js';
import { noteCheck, takeTurn } from '../store/operations/checks.js';
import { type LookedAfter, objectsToLookAfter } from '../store/payments/open-objects.js';
import { boundedCalls } from './temporal-calls.js';
import { keepRepeating } from './keep-repeating.js';

/** One worker of all makes a turn so often. One that did not end its turn may have died: the next begins sooner. */
const TURN_EVERY_SECONDS = 60;
const TURN_AGAIN_AFTER_SECONDS = 15;
/** How often a worker asks whether a turn is due. */
const ASK_EVERY_MS = 15_000;
/** After a pause of all workers, changes of this time are looked at. The hourly check has seen older ones. */
const LONGEST_LOOK_BACK_MS = 3_600_000;
/** Looked at in Temporal at the same time. */
const OBJECTS_AT_ONCE = 4;
/** A task that no worker has taken for so long is alerted. */
const UNTAKEN_ALERTED_SECONDS = 180;
/** If no worker takes tasks, all payments stand still: so many are named in a turn. */
const MOST_UNTAKEN_RAISED = 10;
const MOST_RESOLVED = 1_000;

interface ProgressCheck {
  readonly database: Database;
  /** How the running workflow with this id gets on; `null` without one. */
  readonly progress: (id: string) => Promise<RunProgress | null>;
  readonly logger: Logger;
}

/** A worker begins to take tasks after this time, even if its first look has not ended. */
const FIRST_LOOK_MS = 3_000;

/**
 * Checks until stopped. Resolves after the first look: the task that ends this process may be the first that it takes.
 */
export async function keepCheckingProgress({
  client,
  ...check
}: Omit<ProgressCheck, 'progress'> & { readonly client: Client }): Promise<{ stop(): Promise<void> }> {
  const bounded = boundedCalls(client);
  const progress: ProgressCheck['progress'] = (id) => bounded(() => progressOf(client, id));
  const look = () =>
    checkProgress({ ...check, progress }).catch((error: unknown) => {
      check.logger.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'progress could not be checked');
    });
  const looked = look();
  await Promise.race([looked, setTimeout(FIRST_LOOK_MS, undefined, { ref: false })]);
  return keepRepeating(async () => {
    await looked;
    await look();
    return ASK_EVERY_MS;
  });
}

/** Makes the turn that is due, if one is. Answers how many objects it looked at; `null`: none is due. */
export async function checkProgress({ database, progress, logger }: ProgressCheck): Promise<number | null> {
  const turn = await takeTurn(database, 'workflow_progress', {
    everySeconds: TURN_EVERY_SECONDS,
    againAfterSeconds: TURN_AGAIN_AFTER_SECONDS,
  });
  if (turn === null) return null;
  const { at, figures: pages } = turn;
  const since = new Date(Math.max(turn.succeededAt?.getTime() ?? 0, at.getTime() - LONGEST_LOOK_BACK_MS));
  await resolveMended({ database, progress, logger }, at);
  const { objects, pages: nextPages } = await objectsToLookAfter(database, { since, at, pages });
  let untaken = 0;
  for (let from = 0; from < objects.length; from += OBJECTS_AT_ONCE)
    await Promise.all(
      objects.slice(from, from + OBJECTS_AT_ONCE).map(async (object) => {
        const trouble = troubleOf(await progress(object.id), at);
        if (trouble === null) return;
        if (trouble.isUntaken) untaken += 1;
        if (!trouble.isUntaken || untaken <= MOST_UNTAKEN_RAISED)
          await raise(database, logger, { object, trouble, at });
      }),
    );
  if (untaken > MOST_UNTAKEN_RAISED) logger.warn({ untaken }, 'no worker takes the tasks of workflows');
  const figures = { lookedAt: objects.length, untaken, ...nextPages };
  await noteCheck(database, { name: 'workflow_progress', at: at.toISOString(), problems: 0, figures });
  return objects.length;
}

type Trouble =
  | { readonly isUntaken: false; readonly failedTasks: number }
  | { readonly isUntaken: true; readonly since: string };

/** Why the workflow makes no progress; `null` if it does, or waits. */
function troubleOf(progress: RunProgress | null, at: Date): Trouble | null {
  if (progress === null) return null;
  const { failedTasks, untakenSince } = progress;
  if (failedTasks >= FAILED_TASKS_ALERTED) return { isUntaken: false, failedTasks };
  if (untakenSince === null) return null;
  const untakenMs = at.getTime() - Date.parse(untakenSince);
  return untakenMs < UNTAKEN_ALERTED_SECONDS * 1_000 ? null : { isUntaken: true, since: untakenSince };
}

function raise(
  database: Database,
  logger: Logger,
  { object, trouble, at }: { readonly object: LookedAfter; readonly trouble: Trouble; readonly at: Date },
): Promise<void> {
  const { id: objectId, kind, operationId, isStored } = object;
  const objectSeen =
    isStored || kind === 'rule_change' ? OBJECT_WORDS[kind] : (`${kind}, which is not stored yet,` as const);
  return raiseAlert(database, logger, {
    ...(trouble.isUntaken
      ? alertOf('WORKFLOW_FAILING', 'untaken', { objectSeen, since: trouble.since })
      : alertOf('WORKFLOW_FAILING', 'tried', { objectSeen, count: trouble.failedTasks })),
    occasion: null,
    operationId,
    objectId,
    at: at.toISOString(),
  });
}

/** Ends the alerts of workflows that go on, or have ended. */
async function resolveMended({ database, progress }: ProgressCheck, at: Date): Promise<void> {
  for (const objectId of await objectsWithAlert(database, 'WORKFLOW_FAILING', MOST_RESOLVED)) {
    const found = await progress(objectId);
    if (found === null || (found.failedTasks === 0 && found.untakenSince === null))
      await resolveAlerts(database, { kind: 'WORKFLOW_FAILING', objectId, at: at.toISOString() });
  }
}
