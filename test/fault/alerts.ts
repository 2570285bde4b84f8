// Waits for alerts of a whole gateway.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../lab/harness/eventually.js';
import type { Stack } from '../../lab/harness/stack.js';
import { openAlertsOf } from '../support/open-alerts.js';

/** Each look starts a process. */
const PAUSE_MS = 500;
const TIMEOUT_MS = 60_000;

/** Waits until an object's alert is open, or is not. */
export async function untilAlert(
  stack: Stack,
  { kind, objectId, isOpen = true }: { readonly kind: string; readonly objectId: string; readonly isOpen?: boolean },
): Promise<void> {
  const look = async () => {
    const found = (await openAlertsOf(stack, objectId)).includes(kind);
    if (found !== isOpen) await sleep(PAUSE_MS);
    return found === isOpen;
  };
  await eventually(look, `the alert ${kind} of ${objectId} is ${isOpen ? 'open' : 'resolved'}`, TIMEOUT_MS);
}
