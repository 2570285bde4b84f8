// The hourly check of open payments and rule changes: an object without a workflow is reopened, and one whose workflow
// makes no progress, or is not the gateway's, gets a new one, each with an alert and a metric. A payment that has
// waited long for somebody outside raises its alert.
import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import {
  type OpenCheckResult,
  type OpenRun,
  type RunProgress,
  SETTLED_AFTER_SECONDS,
} from '../../contract/temporal/scheduled-work.js';
import { alertOf, OBJECT_WORDS } from '../../domain/alert-records.js';
import { OUTSIDE_WAITS } from '../../domain/payments/outside-waits.js';
import { count } from '../../platform/telemetry/instruments.js';
import { type GatewayAlert, resolveAlerts } from '../../store/alerts/alerts.js';
import type { Database } from '../../store/database.js';
import { noteCheck, operationsAfter } from '../../store/operations/checks.js';
import { operationNames } from '../../store/operations/operations.js';
import { isStillOpen, longestOpen, type OpenObject, openPages } from '../../store/payments/open-objects.js';
import { alertLongWaits, CHECKED_WAITS } from '../../store/payments/outside-waits.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { raiseAlert } from '../alerts.js';
import { CarriedProgress } from '../progress.js';
import type { OpenCheckActivities } from './types.js';

/** The workflows in Temporal, as the check needs them. */
export interface OpenWorkflows {
  /** How the running workflow with this id gets on; `null` without one. */
  progress(id: string): Promise<RunProgress | null>;
  /** The running workflow of the object, and whether the gateway started it; `null` without one. */
  run(object: OpenObject): Promise<OpenRun | null>;
  /** Ends this run of the workflow, if it still runs. */
  end(id: string, runId: string, reason: string): Promise<void>;
  /**
   * Starts the workflow of an open object from its row. `false` if Temporal does not answer, or the row does not exist.
   */
  reopen(object: OpenObject, operationName: string): Promise<boolean>;
}

const OPERATIONS_PER_PAGE = 20;
const OBJECTS_PER_PAGE = 100;
/** Looked at in Temporal at the same time. */
const OBJECTS_AT_ONCE = 8;
/** After so many failures of one task, which take about a minute, the workflow is given up. */
const FAILED_TASKS_GIVEN_UP = 4;
/** The payments that have been open longest have the longest histories and the most attempts. */
const MEASURED = 100;

type OpenCheckCounts = { -readonly [Name in keyof OpenCheckResult]: number };
/** The last operation that was checked, and what was found so far. */
interface OpenCheckProgress {
  readonly after: string | null;
  readonly found: OpenCheckCounts;
}
const NOTHING: OpenCheckCounts = { compared: 0, reopened: 0, failed: 0 };

type AlertText = Pick<GatewayAlert, 'kind' | 'detail'>;

/** `why`: what Temporal shows of a run that is ended. */
type Wrong =
  | { readonly is: 'missing' }
  | { readonly is: 'impostor'; readonly impostor: string; readonly why: string }
  | { readonly is: 'stuck'; readonly count: number; readonly why: string };

/** What is wrong with the workflow of an open object; `null`: nothing. */
function whatIsWrong(run: OpenRun | null): Wrong | null {
  if (run === null) return { is: 'missing' };
  const { impostor, failedTasks } = run;
  if (impostor !== null)
    return { is: 'impostor', impostor, why: `had a workflow of another than the gateway (${impostor})` };
  if (failedTasks >= FAILED_TASKS_GIVEN_UP)
    return { is: 'stuck', count: failedTasks, why: `its workflow made no progress (${failedTasks} failed tasks)` };
  return null;
}

/** The alert of an object that was reopened. */
function reopenedAlert({ kind, status }: OpenObject, wrong: Wrong): AlertText {
  const about = { object: OBJECT_WORDS[kind], was: status };
  switch (wrong.is) {
    case 'missing':
      return alertOf('WORKFLOW_REOPENED', 'missing', about);
    case 'impostor':
      return alertOf('WORKFLOW_REOPENED', 'impostor', { ...about, impostor: wrong.impostor });
    case 'stuck':
      return alertOf('WORKFLOW_REOPENED', 'stuck', { ...about, count: wrong.count });
  }
}

export function createOpenCheckActivities(
  database: Database,
  workflows: OpenWorkflows,
  sealer: Sealer,
  logger: Logger,
): OpenCheckActivities {
  const progresses = new CarriedProgress<OpenCheckProgress>(sealer, 'open workflows', { after: null, found: NOTHING });

  async function checkOperation(operationId: string, at: string): Promise<OpenCheckCounts> {
    const before = new Date(Date.parse(at) - SETTLED_AFTER_SECONDS * 1_000);
    const found = { compared: 0, reopened: 0, failed: 0 };
    await raiseLongWaits(database, logger, { operationId, at });
    for await (const objects of openPages(database, operationId, before, OBJECTS_PER_PAGE)) {
      found.compared += objects.length;
      for (let from = 0; from < objects.length; from += OBJECTS_AT_ONCE) {
        Context.current().heartbeat(operationId);
        const healed = await Promise.all(
          objects.slice(from, from + OBJECTS_AT_ONCE).map((object) => checkObject(object, at)),
        );
        for (const end of healed) if (end !== null) found[end] += 1;
      }
    }
    return found;
  }

  /** `null`: the object's workflow does its work, or the object has closed since its page was read. */
  async function checkObject(object: OpenObject, at: string): Promise<'reopened' | 'failed' | null> {
    const run = await workflows.run(object);
    const wrong = whatIsWrong(run);
    if (wrong === null || !(await isStillOpen(database, object))) return null;
    if (run !== null && wrong.is !== 'missing')
      await workflows.end(object.id, run.runId, `given up by the hourly check: ${wrong.why}`);
    if (wrong.is === 'impostor')
      await raise(object, at, alertOf('WORKFLOW_IMPOSTOR', 'ended', { impostor: wrong.impostor }));
    return (await heal(object, at, wrong)) ? 'reopened' : 'failed';
  }

  async function heal(object: OpenObject, at: string, wrong: Wrong): Promise<boolean> {
    const { id: objectId, kind, operationId } = object;
    const names = await operationNames(database, [operationId]);
    if (!(await workflows.reopen(object, names.get(operationId) ?? operationId))) return false;
    count('gateway_workflows_reopened_total', { kind });
    await resolveAlerts(database, { kind: 'WORKFLOW_FAILING', objectId, at });
    await raise(object, at, reopenedAlert(object, wrong));
    return true;
  }

  function raise({ id: objectId, operationId }: OpenObject, at: string, alert: AlertText): Promise<void> {
    return raiseAlert(database, logger, { ...alert, occasion: at, operationId, objectId, at });
  }

  /** Measures the payments that have been open longest, and notes what the whole check found. */
  async function finish(at: string, { compared, reopened, failed }: OpenCheckCounts): Promise<void> {
    const figures = { compared, reopened, historyEvents: 0, pendingAttempts: 0 };
    for (const id of await longestOpen(database, MEASURED)) {
      Context.current().heartbeat(id);
      const workflow = await workflows.progress(id);
      figures.historyEvents = Math.max(figures.historyEvents, workflow?.historyEvents ?? 0);
      figures.pendingAttempts = Math.max(figures.pendingAttempts, workflow?.pendingAttempts ?? 0);
    }
    await noteCheck(database, { name: 'open_workflows', at, problems: failed, figures });
  }

  return {
    checkOpenPage: async ({ at, progress }) => {
      const { startedAt, state } = progresses.open(progress, at);
      const operations = await operationsAfter(database, state.after, OPERATIONS_PER_PAGE);
      const found = { ...NOTHING };
      for (const operationId of operations) {
        const part = await checkOperation(operationId, at);
        for (const name of Object.keys(found) as (keyof OpenCheckCounts)[]) found[name] += part[name];
      }
      const sum = { ...state.found };
      for (const name of Object.keys(sum) as (keyof OpenCheckCounts)[]) sum[name] += found[name];
      const last = operations.at(-1) ?? null;
      if (operations.length === OPERATIONS_PER_PAGE)
        return { found, last, progress: progresses.carry({ startedAt, state: { after: last, found: sum } }) };
      await finish(startedAt, sum);
      return { found, last, progress: null };
    },
  };
}

/**
 * The alerts of payments that have waited long for somebody outside. The check reads rows, so it also sees a payment
 * whose own process stands still. Raises what is due in an operation. A later check finds what a lost one left.
 */
async function raiseLongWaits(
  database: Database,
  logger: Logger,
  { operationId, at }: { readonly operationId: string; readonly at: string },
): Promise<void> {
  for (const wait of CHECKED_WAITS) {
    const { kind } = OUTSIDE_WAITS[wait].checked;
    for (const { objectId, detail } of await alertLongWaits(database, { operationId, wait, at }))
      logger.warn({ alert: kind, objectId, operationId }, detail);
  }
}
