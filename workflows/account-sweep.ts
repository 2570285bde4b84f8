// Finds what arrived on a provider's account, and what left it, when callbacks are lost. It reads the account's lists,
// and deposits that missed something look their charges up. A list alone changes no payment.
import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import {
  type AccountSweepInput,
  type AccountSweepResult,
  NOTHING_FOUND,
  type SweepFound,
} from '../contract/temporal/scheduled-work.js';
import { step } from './steps/step.js';

/** Pages per run. It bounds the history; the next run continues with the rest. */
const PAGES_PER_RUN = 50;

export async function accountSweep({ provider, part, resumed }: AccountSweepInput): Promise<AccountSweepResult> {
  let found = resumed ?? NOTHING_FOUND;
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const begins = resumed === null && pages === 0;
    const page = await answered(step.sweepPage({ provider, part, begins }));
    if (page === null) return { kind: 'unanswered' };
    if (page.kind === 'refused') return page;
    found = add(found, page.found);
    setCurrentDetails(describe(found, page.through ?? 'a part'));
    if (page.through !== null) return { kind: 'swept', through: page.through, ...found };
  }
  return continueAsNew<typeof accountSweep>({ provider, part, resumed: found });
}

/** `null` if the provider answered none of the tries. */
async function answered<Page>(page: Promise<Page>): Promise<Page | null> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof ActivityFailure && !isCancellation(error)) return null;
    throw error;
  }
}

function add(one: SweepFound, other: SweepFound): SweepFound {
  return {
    read: one.read + other.read,
    missed: one.missed + other.missed,
    unallocated: one.unallocated + other.unallocated,
    unreadable: one.unreadable + other.unreadable,
  };
}

function describe({ read, missed, unallocated, unreadable }: SweepFound, through: string): string {
  return `${read} read, ${missed} missed, ${unallocated} not in the books, ${unreadable} unreadable · through ${through}`;
}
