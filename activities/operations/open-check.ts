// The hourly check of open payments and rule changes: an object without a workflow is reopened, with an alert and a
// metric; a payment that has waited long for somebody outside raises its alert.
import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import { type OpenCheckResult, SETTLED_AFTER_SECONDS } from '../../contract/temporal/open-check.js';
import { count } from '../../platform/telemetry/instruments.js';
import type { Database } from '../../store/database.js';
import { noteCheck, operationsAfter } from '../../store/operations/checks.js';
import { operationNames } from '../../store/operations/operations.js';
import { isStillOpen, longestOpen, type OpenObject, openPages } from '../../store/payments/open-objects.js';
import { raiseAlert } from '../alerts.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { CarriedProgress } from '../progress.js';
import { raiseLongWaits } from './long-waits.js';
import type { OpenCheckActivities } from './types.js';

/** The workflows in Temporal, as the check needs them. */
export interface OpenWorkflows {
  /** Which of these ids the index lists as running. It may lag behind. */
  listed(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The running workflow with this id; `null` without one. */
  find(id: string): Promise<{ readonly historyEvents: number; readonly pendingAttempts: number } | null>;
  /**
   * Starts the workflow of an open object from its row. `false` if Temporal does not answer, or the row does not exist.
   */
  reopen(object: OpenObject, operationName: string): Promise<boolean>;
}

const OPERATIONS_PER_PAGE = 20;
const OBJECTS_PER_PAGE = 100;
/** The payments that have been open longest have the longest histories and the most attempts. */
const MEASURED = 100;

type Found = { -readonly [Name in keyof OpenCheckResult]: number };
/** The last operation that was checked, and what was found so far. */
interface Carried {
  readonly after: string | null;
  readonly found: Found;
}
const NOTHING: Found = { compared: 0, reopened: 0, failed: 0 };

export function createOpenCheckActivities(
  database: Database,
  workflows: OpenWorkflows,
  sealer: Sealer,
  logger: Logger,
): OpenCheckActivities {
  const progresses = new CarriedProgress<Carried>(sealer, 'open workflows', { after: null, found: NOTHING });

  async function checkOperation(operationId: string, at: string): Promise<Found> {
    const before = new Date(Date.parse(at) - SETTLED_AFTER_SECONDS * 1_000);
    const found = { compared: 0, reopened: 0, failed: 0 };
    await raiseLongWaits(database, logger, { operationId, at });
    for await (const objects of openPages(database, operationId, before, OBJECTS_PER_PAGE)) {
      Context.current().heartbeat(operationId);
      const listed = await workflows.listed(objects.map(({ id }) => id));
      found.compared += objects.length;
      for (const object of objects.filter(({ id }) => !listed.has(id)))
        if (await isOrphan(object)) found[(await heal(object, at)) ? 'reopened' : 'failed'] += 1;
    }
    return found;
  }

  /** The index may lag, and the object may have closed since its page was read: both are checked again. */
  async function isOrphan(object: OpenObject): Promise<boolean> {
    return (await workflows.find(object.id)) === null && (await isStillOpen(database, object));
  }

  async function heal(object: OpenObject, at: string): Promise<boolean> {
    const { id: objectId, kind, operationId, status } = object;
    const names = await operationNames(database, [operationId]);
    if (!(await workflows.reopen(object, names.get(operationId) ?? operationId))) return false;
    count('gateway_workflows_reopened_total', { kind });
    const detail = `the ${kind.replace('_', ' ')} was ${status} and had no workflow; it was reopened`;
    await raiseAlert(database, logger, {
      kind: 'WORKFLOW_REOPENED',
      detail,
      occasion: at,
      operationId,
      objectId,
      at,
    });
    return true;
  }

  /** Measures the payments that have been open longest, and notes what the whole check found. */
  async function finish(at: string, { compared, reopened, failed }: Found): Promise<void> {
    const figures = { compared, reopened, historyEvents: 0, pendingAttempts: 0 };
    for (const id of await longestOpen(database, MEASURED)) {
      Context.current().heartbeat(id);
      const workflow = await workflows.find(id);
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
        for (const name of Object.keys(found) as (keyof Found)[]) found[name] += part[name];
      }
      const sum = { ...state.found };
      for (const name of Object.keys(sum) as (keyof Found)[]) sum[name] += found[name];
      const last = operations.at(-1) ?? null;
      if (operations.length === OPERATIONS_PER_PAGE)
        return { found, last, progress: progresses.carry({ startedAt, state: { after: last, found: sum } }) };
      await finish(startedAt, sum);
      return { found, last, progress: null };
    },
  };
}
