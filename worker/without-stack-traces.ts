// Loaded before the worker (`node --import`), and with it in its workflow threads. For the Call Stack tab of the
// Temporal UI the SDK takes a stack trace of every promise of a workflow: a third of what a payment costs in a workflow
// thread. A payment's page shows what it waits for without them. The SDK has no option for it, but works without
// (docs/decisions/0056).
import { isMainThread } from 'node:worker_threads';

const METHOD = 'setPromiseHook';

if (!isMainThread) {
  const { globalHandlers } = await import('@temporalio/worker/lib/workflow/vm-shared.js');
  if (!(METHOD in globalHandlers))
    throw new Error(`this version of the Temporal SDK has no ${METHOD}: see decision 0056`);
  Object.assign(globalHandlers, { [METHOD]: () => undefined });
}
