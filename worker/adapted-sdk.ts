// Loaded before the worker (`node --import`), and with it in its workflow threads: what the gateway changes of the
// Temporal SDK (docs/decisions/0009 and 0010). It changes private parts, so it knows the version.
import asyncHooks from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** The SDK's files whose inside is changed, with a digest of each. After an update compare them, and these change. */
const CHANGED = {
  'vm-shared.js': 'f526eb66f88dd444',
  'reusable-vm.js': '1f6ec7d347dee4b4',
  'threaded-vm.js': 'c0c76241f3c3e25b',
};

if (isMainThread) {
  const { resolve } = createRequire(import.meta.url);
  for (const [file, known] of Object.entries(CHANGED)) {
    const text = readFileSync(resolve(`@temporalio/worker/lib/workflow/${file}`));
    if (createHash('sha256').update(text).digest('hex').slice(0, 16) !== known)
      throw new Error(`this version of the Temporal SDK has another ${file}: see decisions 0009 and 0010`);
  }
} else {
  const { followPromises, WorkflowStorage } = await import('./workflow-storage.js');
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: WorkflowStorage });
  followPromises();
  // For the Call Stack tab of the Temporal UI the SDK takes a stack trace of every promise of a workflow: a third of
  // what a payment costs in a workflow thread. A payment's page shows what it waits for without them. The SDK has no
  // option for it, but works without.
  const { globalHandlers } = await import('@temporalio/worker/lib/workflow/vm-shared.js');
  Object.assign(globalHandlers, { setPromiseHook: () => undefined });
  const { limitWorkflows } = await import('./limited-workflows.js');
  limitWorkflows();
}
