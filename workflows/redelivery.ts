// Delivers a range of an operation's events again, oldest first and at a bounded pace. Each event has its own delivery,
// with its retries; this workflow only hands them over.
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { REDELIVERY_PAGE, type RedeliveryInput, type RedeliveryResult } from '../contract/temporal/redelivery.js';
import { eventRanges } from './steps/activity-proxies.js';
import { now, secondsAfter } from './steps/clock.js';
import { waitUntil } from './steps/deadline-timer.js';
import { deliverAgain } from './steps/delivery-workflows.js';

/** It bounds the history; the next run continues with the rest. */
const PAGES_PER_RUN = 10;

export async function redelivery(input: RedeliveryInput): Promise<RedeliveryResult> {
  const { operationId, from, to, selection, last } = input;
  let [first, done] = [input.first, input.done];
  for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
    const page = await eventRanges.readEventRange('read the next events', {
      ...{ operationId, from, to, selection, first, last },
      limit: REDELIVERY_PAGE,
    });
    await Promise.all(page.eventIds.map((eventId) => deliverAgain({ eventId, operationId })));
    done += page.eventIds.length;
    setCurrentDetails(`${done} events handed over · ${from} to ${to} · ${selection}`);
    if (page.next === null) return { events: done };
    first = page.next;
    await waitUntil(() => false, secondsAfter(now(), input.pauseSeconds), 'hand over the next events');
  }
  return continueAsNew<typeof redelivery>({ ...input, first, done });
}
