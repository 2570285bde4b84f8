// The one way in which a payment's process waits: for a call, a deadline or a change of state. Meanwhile it serves
// messages (cancel, review, callback, refresh), one at a time and in its own flow.
import { allHandlersFinished, CancellationScope, condition, workflowInfo } from '@temporalio/workflow';
import { millisecondsUntil, now } from './clock.js';
import { DeadlineTimer } from './deadline-timer.js';
import type { Wait } from './status-reporter.js';

/** What the process waits for. Each function is asked again after every message. */
export interface Waiting {
  /** What the Temporal UI shows. `since`: when this wait began. */
  readonly wait: (since: string) => Wait;
  /** The deadline, RFC 3339; null: none. Absent: an earlier deadline is ignored, its timer stays. */
  readonly until?: () => string | null;
  /** Whether there is nothing left to wait for: a message or a step changed the state. */
  readonly isOver: () => boolean;
}

/** Why a wait ended: the call has its answer, the deadline passed, or there is nothing left to wait for. */
export type Served<Answer> =
  { readonly kind: 'done'; readonly answer: Answer } | { readonly kind: 'due' } | { readonly kind: 'over' };

/** Histories beyond this length go on in a new run. Temporal refuses far longer ones, and replays of long ones cost. */
const LONG_HISTORY_EVENTS = 4_000;

/** A call that runs beside the process. */
export class Call<Answer> {
  private readonly scope = new CancellationScope();
  private outcome: { readonly answer: Answer } | { readonly error: unknown } | null = null;

  constructor(call: () => Promise<Answer>) {
    void this.scope.run(call).then(
      (answer) => (this.outcome = { answer }),
      (error: unknown) => (this.outcome = { error }),
    );
  }

  get isSettled(): boolean {
    return this.outcome !== null;
  }

  /** The answer; throws the call's error. */
  take(): Answer {
    if (this.outcome === null) throw new Error('the call is not settled');
    if ('error' in this.outcome) throw this.outcome.error;
    return this.outcome.answer;
  }

  /** Nobody waits for it any more. What it still stores is found by the next step. */
  leave(): void {
    if (!this.isSettled) this.scope.cancel();
  }
}

export class Desk {
  private readonly messages: (() => Promise<void>)[] = [];
  private readonly timer = new DeadlineTimer();
  private refusal: Error | null = null;

  /** `show` publishes what the process waits for. */
  constructor(private readonly show: (wait: Wait) => void) {}

  /** Whether a message is waiting. */
  get hasMessages(): boolean {
    return this.messages.length > 0;
  }

  /** Handles a message in the process's flow and answers its result. */
  ask<Answer>(handle: () => Promise<Answer>): Promise<Answer> {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    return new Promise<Answer>((resolve, reject) => {
      this.messages.push(() => handle().then(resolve, reject));
    });
  }

  /** There is no payment: this and every later message fails with `refusal`. */
  refuse(refusal: Error): void {
    this.refusal = refusal;
  }

  /** The history is long, and nothing is under way that a new run would lose. */
  get shouldContinueAsNew(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return (
      (continueAsNewSuggested || historyLength > LONG_HISTORY_EVENTS) && !this.hasMessages && allHandlersFinished()
    );
  }

  /** Waits, and serves messages meanwhile. An unsettled `call` goes on: its owner serves it again or leaves it. */
  async serve<Answer = never>({ wait, until, isOver }: Waiting, call?: Call<Answer>): Promise<Served<Answer>> {
    const since = now();
    for (;;) {
      if (call?.isSettled === true) return { kind: 'done', answer: call.take() };
      if (isOver()) return { kind: 'over' };
      const current = wait(since);
      this.show(current);
      const message = this.messages.shift();
      if (message !== undefined) {
        await message();
        continue;
      }
      const deadline = until?.() ?? null;
      if (deadline !== null && millisecondsUntil(deadline) === 0) return { kind: 'due' };
      if (until === undefined) this.timer.suspend();
      else this.timer.set(deadline, current.next);
      const isMoved = () => (until?.() ?? null) !== deadline;
      const isCalledFor = () => this.hasMessages || call?.isSettled === true || this.timer.isDue;
      await condition(() => isCalledFor() || isMoved() || isOver());
    }
  }

  /** Like `serve` for one call that nothing else waits for: it is left when the wait ends before its answer. */
  async serveCall<Answer>(waiting: Waiting, call: () => Promise<Answer>): Promise<Served<Answer>> {
    const running = new Call(call);
    try {
      return await this.serve(waiting, running);
    } finally {
      running.leave();
    }
  }
}
