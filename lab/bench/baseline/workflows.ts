// The bare baseline: a workflow with as many activities and messages as a deposit's, and nothing in any of them.
import {
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';

/** Activities of one half of the life: before the creation is answered, and after the payment's signal. */
export interface BareHalf {
  readonly local: number;
  readonly regular: number;
}

export const opened = defineUpdate<boolean>('opened');
export const paid = defineSignal('paid');
export const isOpen = defineQuery<boolean>('isOpen');

interface BareActivities {
  nothing(): Promise<void>;
}
const regular = proxyActivities<BareActivities>({ startToCloseTimeout: '10s' });
const local = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '10s' });

/** Start with an update that waits for the first half; then a signal, the second half, and the end. */
export async function bareDeposit(before: BareHalf, after: BareHalf): Promise<void> {
  let isOpened = false;
  let isPaid = false;
  setHandler(opened, async () => {
    await condition(() => isOpened);
    return true;
  });
  setHandler(paid, () => void (isPaid = true));
  setHandler(isOpen, () => isOpened);
  await half(before);
  isOpened = true;
  await condition(() => isPaid);
  await half(after);
}

async function half(activities: BareHalf): Promise<void> {
  for (let done = 0; done < activities.local; done += 1) await local.nothing();
  for (let done = 0; done < activities.regular; done += 1) await regular.nothing();
}
