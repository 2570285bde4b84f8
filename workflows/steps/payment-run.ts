// A run of a payment's workflow: it opens the process with a new or a stored payment, and goes on from state to state
// until the payment is closed and nothing is under way. A run whose history grows long continues in a new one.
import { CancellationScope } from '@temporalio/workflow';
import type { PaymentOrder, PaymentWorkflowInput } from '../../contract/temporal/payment.js';
import {
  type AskedPayment,
  type Loaded,
  NOTHING_SEEN,
  type PaymentId,
  type Stored,
} from '../../contract/temporal/payment-steps.js';
import { goBy } from './time.js';
import type { PaymentProcess, PaymentState } from './payment-process.js';

/** What a kind of payment does in its run. */
export interface Phases<Order extends PaymentOrder, State extends PaymentState, End> {
  readonly registerMessages: () => void;
  /** Creates the payment. Answers the run's result if there is none. */
  readonly create: (order: Order) => Promise<End | null>;
  readonly load: (payment: AskedPayment) => Promise<Stored<State> & Loaded>;
  /** Does what the state calls for, until the state changes or the process is over. */
  readonly goOn: () => Promise<void>;
  readonly continueAsNew: (input: { readonly kind: 'reopen' } & PaymentId) => Promise<never>;
}

/** Ignores cancellation requests to Temporal: they would end the workflow and leave the payment's money in place. */
export function runPayment<Order extends PaymentOrder, State extends PaymentState, End>(
  run: PaymentProcess<State>,
  input: PaymentWorkflowInput<Order>,
  phases: Phases<Order, State, End>,
): Promise<End | string> {
  if (input.kind === 'create') goBy(input.clock);
  return CancellationScope.nonCancellable(() => run.messages.endingWith(() => untilOver(run, input, phases)));
}

async function untilOver<Order extends PaymentOrder, State extends PaymentState, End>(
  run: PaymentProcess<State>,
  input: PaymentWorkflowInput<Order>,
  phases: Phases<Order, State, End>,
): Promise<End | string> {
  phases.registerMessages();
  const ended = await open(run, input, phases);
  if (ended !== null) return ended;
  while (!run.isOver) {
    await phases.goOn();
    if (run.shouldContinueAsNew) await continueInNewRun(run, phases.continueAsNew);
  }
  return run.state.snapshot.status;
}

async function open<Order extends PaymentOrder, State extends PaymentState, End>(
  run: PaymentProcess<State>,
  input: PaymentWorkflowInput<Order>,
  { create, load }: Phases<Order, State, End>,
): Promise<End | null> {
  switch (input.kind) {
    case 'create':
      return create(input.order);
    case 'reopen': {
      const { id, operationId } = input;
      const { context, clock, state } = await load({ id, operationId, seenVersion: NOTHING_SEEN });
      goBy(clock);
      run.reopen(context, { state });
      return null;
    }
  }
}

/** Reopens itself in a new run, with a short history, unless a message arrived in the meantime. */
async function continueInNewRun<State extends PaymentState>(
  run: PaymentProcess<State>,
  continueAsNew: (input: { readonly kind: 'reopen' } & PaymentId) => Promise<never>,
): Promise<void> {
  await run.messages.untilCallsEnd();
  if (!run.shouldContinueAsNew) return;
  const { id, operationId } = run.payment.context;
  await continueAsNew({ kind: 'reopen', id, operationId });
}
