// Registers the handlers of updates so that a cancellation request to Temporal, which payments ignore, does not end
// what a handler waits for.
import { CancellationScope, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';

/** `validate` refuses what cannot succeed, before it enters the history. */
export function answerUpdate<Answer, Args extends unknown[]>(
  definition: UpdateDefinition<Answer, Args>,
  answer: (...args: NoInfer<Args>) => Promise<NoInfer<Answer>>,
  validate?: (...args: NoInfer<Args>) => void,
): void {
  const handle = (...args: Args) => CancellationScope.nonCancellable(() => answer(...args));
  setHandler(definition, handle as never, validate === undefined ? {} : ({ validator: validate } as never));
}
