// The hourly check that every open payment and rule change has its workflow. One without is reopened from its row.
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { OPEN_CHECK_START, type OpenCheckInput, type OpenCheckResult } from '../contract/temporal/scheduled-work.js';
import { step } from './steps/step.js';

/** Pages of operations per run. It bounds the history; the next run continues with the rest. */
const PAGES_PER_RUN = 100;

export async function openCheck({ progress, done }: OpenCheckInput = OPEN_CHECK_START): Promise<OpenCheckResult> {
  let [carried, result] = [progress, done];
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const page = await step.checkOpenPage({ progress: carried });
    result = add(result, page.found);
    const { compared, reopened, failed } = result;
    const through = page.progress === null ? 'the end' : page.last;
    setCurrentDetails(`${compared} compared, ${reopened} reopened, ${failed} failed · through ${through}`);
    if (page.progress === null) return result;
    carried = page.progress;
  }
  return continueAsNew<typeof openCheck>({ progress: carried, done: result });
}

function add(one: OpenCheckResult, other: OpenCheckResult): OpenCheckResult {
  return {
    compared: one.compared + other.compared,
    reopened: one.reopened + other.reopened,
    failed: one.failed + other.failed,
  };
}
