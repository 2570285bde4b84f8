// Registers the handlers of updates. A cancellation request to Temporal, which payments ignore, does not end what a
// handler waits for; a run that has ended answers none.
import { ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { RUN_ENDED } from '../../contract/temporal/payment.js';
import type { MessageQueue } from './message-queue.js';

/** `validate` refuses what cannot succeed, before it enters the history. */
export function answerUpdate<Answer, Args extends unknown[]>(
  messages: MessageQueue,
  definition: UpdateDefinition<Answer, Args>,
  answer: (...args: NoInfer<Args>) => Promise<NoInfer<Answer>>,
  validate?: (...args: NoInfer<Args>) => void,
): void {
  const handle = (...args: Args) => CancellationScope.nonCancellable(() => answer(...args));
  const validator = (...args: Args) => {
    // Temporal replays a run whose last task was refused because of an update: the run then ends before that update is
    // handed to it. Accepted, the update would make every try of the task fail.
    if (messages.hasEnded) throw ApplicationFailure.nonRetryable('this run has ended', RUN_ENDED);
    validate?.(...args);
  };
  setHandler(definition, handle as never, { validator } as never);
}
