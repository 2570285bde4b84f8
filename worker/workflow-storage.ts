// The AsyncLocalStorage that the Temporal SDK gives to workflows (their cancellation scopes live in it), without Node's
// async_hooks: these keep a stack inside Node, which workflow code that is ended in the middle leaves unbalanced, and
// Node then ends the process ("async hook stack has become corrupted"). Here the state is one variable.
import { promiseHooks } from 'node:v8';

/** What every storage holds at one point of the code; it is never changed. */
type Frame = ReadonlyMap<WorkflowStorage<unknown>, unknown>;
type FramedPromise = Promise<unknown> & { [FRAME]?: Frame };

const FRAME = Symbol('frame');
let current: Frame | undefined;

/** The part of AsyncLocalStorage that the SDK uses. What it does not use does not exist. */
export class WorkflowStorage<Value> {
  run<Arguments extends unknown[], Result>(
    value: Value,
    callback: (...given: Arguments) => Result,
    ...given: Arguments
  ): Result {
    const outer = current;
    current = new Map(outer).set(this as WorkflowStorage<unknown>, value);
    try {
      return callback(...given);
    } finally {
      current = outer;
    }
  }

  getStore(): Value | undefined {
    return current?.get(this as WorkflowStorage<unknown>) as Value | undefined;
  }

  /** A storage holds nothing itself. */
  disable(): void {}
}

/** Before each call into a workflow: the previous call may have been ended in the middle. */
export function leaveAllScopes(): void {
  current = undefined;
}

/** Makes promises carry what the storages hold: what continues after an `await` sees what was there before it. */
export function followPromises(): void {
  promiseHooks.createHook({
    init: (promise: FramedPromise) => {
      if (current !== undefined) promise[FRAME] = current;
    },
    before: (promise: FramedPromise) => {
      current = promise[FRAME];
    },
    // Continuations run one by one when no other code does.
    after: leaveAllScopes,
  });
}
