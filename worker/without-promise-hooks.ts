// Loaded before the worker (`node --import`), which loads it into its workflow threads too. For the Call Stack of the
// Temporal UI the SDK records a stack trace for every promise of a workflow. That is a third of what a payment costs in
// a workflow thread, and a payment's page says in words what it waits for. Where Node has no such hooks, the SDK goes on
// without them (docs/decisions/0061).
import v8 from 'node:v8';

v8.promiseHooks.createHook = () => {
  throw new Error('promise hooks are switched off in the worker');
};
