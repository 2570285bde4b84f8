// The hourly check that every open payment and rule change has its workflow. One without is reopened from its row.
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { OPEN_CHECK_START, type OpenCheckInput, type OpenCheckResult } from '../contract/temporal/open-check.js';
import { openChecks } from './steps/activity-proxies.js';
import { now } from './steps/clock.js';

/** Pages of operations per run. It bounds the history; the next run continues with the rest. */
const PAGES_PER_RUN = 100;

export async function openCheck({ after, done }: OpenCheckInput = OPEN_CHECK_START): Promise<OpenCheckResult> {
  const at = now();
  let [cursor, result] = [after, done];
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const page = await openChecks.checkOpenPage('compare open payments with their workflows', { at, after: cursor });
    result = add(result, page.found);
    const { compared, reopened, failed } = result;
    setCurrentDetails(
      `${compared} compared, ${reopened} reopened, ${failed} failed · through ${page.last ?? 'the end'}`,
    );
    if (page.last === null) {
      await openChecks.concludeOpenCheck('measure the oldest open payments, note the check', { at, ...result });
      return result;
    }
    cursor = page.last;
  }
  return continueAsNew<typeof openCheck>({ after: cursor, done: result });
}

function add(one: OpenCheckResult, other: OpenCheckResult): OpenCheckResult {
  return {
    compared: one.compared + other.compared,
    reopened: one.reopened + other.reopened,
    failed: one.failed + other.failed,
  };
}
