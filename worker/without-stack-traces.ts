// For the Call Stack tab of the Temporal UI the SDK takes a stack trace of every promise of a workflow: a third of what
// a payment costs in a workflow thread. A payment's page shows what it waits for without them. The SDK has no option
// for it, but works without (docs/decisions/0010).
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';

/** In a workflow thread, before it creates a workflow. */
export function omitStackTraces(): void {
  Object.assign(globalHandlers, { setPromiseHook: () => undefined });
}
