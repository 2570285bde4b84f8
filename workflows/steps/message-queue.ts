// The one way in which a payment's process waits: for a call, a deadline or a change of state. While waiting it serves
// messages (cancel, review, callback, refresh), one at a time and in its own flow.
import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { type NextStep, RUN_ENDED } from '../../contract/temporal/payment.js';
import { isId } from '../../domain/identifiers.js';
import { NO_WAIT, type Wait } from './status-reporter.js';
import { clockRevision, DeadlineTimer, isReached, now, waitUntil } from './time.js';

/** What the process waits for. Each function is called again after every message. */
export interface Waiting {
  /** What the Temporal UI shows. `since`: when this wait began. */
  readonly wait: (since: string) => Wait;
  /** The deadline, RFC 3339; `null` for none. If absent, an earlier deadline is ignored and its timer stays. */
  readonly until?: () => string | null;
  /** Whether there is nothing left to wait for: a message or a step changed the state. */
  readonly isOver: () => boolean;
}

/** Why a wait ended: the call has its answer, the deadline passed, or there is nothing left to wait for. */
export type ServeResult<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'due' }
  | { readonly kind: 'over' };

/** Longer histories continue as new. Temporal refuses far longer ones, and replays of long ones are expensive. */
const LONG_HISTORY_EVENTS = 4_000;

/**
 * So many waits may end one after another although nothing happened since the first: a deadline passes, its alert is
 * due already, and the next step is due too. A process whose waits keep ending so makes no progress and would never
 * yield.
 */
const MOST_IDLE_ENDS = 8;

/** A call that runs concurrently with the process. */
export interface Call<Answer> {
  readonly isSettled: boolean;
  /** The answer; throws the call's error. */
  take(): Answer;
  /**
   * Abandons the call: no caller waits for it any more. What has not started is dropped. What is under way ends by its
   * own limit, and the next step finds what it stored.
   */
  leave(): void;
}

interface Message {
  readonly handle: () => Promise<void>;
  readonly refuse: (refusal: Error) => void;
}

export class MessageQueue {
  private readonly messages: Message[] = [];
  private readonly timer = new DeadlineTimer();
  private refusal: Error | null = null;
  private ended = false;
  private callsUnderWay = 0;
  /** Those that are not patient, and when the latest began, real time. */
  private busyCalls = 0;
  private busySinceMs = 0;
  /** The deadline of the wait, by the operation's clock. */
  private dueAt: string | null = null;
  private shown: Wait = NO_WAIT;
  /** Waits that ended since something last happened: a message, an answer, or whatever ends a real wait. */
  private idleEnds = 0;

  /** `show` publishes what the process waits for. */
  constructor(private readonly show: (wait: Wait) => void) {}

  /** Whether a message is waiting. */
  get hasMessages(): boolean {
    return this.messages.length > 0;
  }

  /** No message is waiting, and no call is under way. */
  get isIdle(): boolean {
    return !this.hasMessages && this.callsUnderWay === 0;
  }

  /** What the process does by itself next, and since when something is under way. */
  get next(): Pick<NextStep, 'dueAt' | 'busySince'> {
    const busySince = this.busyCalls === 0 ? null : new Date(this.busySinceMs).toISOString();
    return { dueAt: this.dueAt, busySince };
  }

  /** The run has returned its result: it handles no message any more. */
  get hasEnded(): boolean {
    return this.ended;
  }

  /** What `run` answers. With it the run ends. */
  async endingWith<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } finally {
      this.ended = true;
    }
  }

  /** Handles a message in the process's flow and answers its result, or why its step failed. */
  ask<Answer>(handle: () => Promise<Answer>): Promise<Answer> {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    return new Promise<Answer>((resolve, reject) => {
      const fail = (error: unknown) => reject(reasonOf(error));
      this.messages.push({ handle: () => handle().then(resolve, fail), refuse: reject });
    });
  }

  /** There is no payment: every message, so far and later, fails with `refusal`. */
  refuse(refusal: Error): void {
    this.refusal = refusal;
    for (const message of this.messages.splice(0)) message.refuse(refusal);
  }

  /** Waits until the process is open. Throws the refusal when there is no payment. */
  async untilOpen(isOpen: () => boolean): Promise<void> {
    await waitUntil(() => isOpen() || this.refusal !== null);
    if (this.refusal !== null) throw this.refusal;
  }

  /** The history is long, and no message or handler is under way that a new run would lose. */
  get shouldContinueAsNew(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    const isLong = continueAsNewSuggested || historyLength > LONG_HISTORY_EVENTS;
    return isLong && !this.hasMessages && allHandlersFinished();
  }

  /** Starts a call that runs concurrently with the process. `isPatient`: it lasts until somebody else does something. */
  call<Answer>(start: () => Promise<Answer>, isPatient = false): Call<Answer> {
    const scope = new CancellationScope();
    let outcome: { readonly answer: Answer } | { readonly error: unknown } | null = null;
    const busy = isPatient ? 0 : 1;
    if (!isPatient) this.busySinceMs = Date.now();
    this.busyCalls += busy;
    this.callsUnderWay += 1;
    void scope
      .run(start)
      .then(
        (answer) => (outcome = { answer }),
        (error: unknown) => (outcome = { error }),
      )
      .finally(() => {
        this.callsUnderWay -= 1;
        this.busyCalls -= busy;
      });
    const settled = () => outcome as { readonly answer: Answer } | { readonly error: unknown } | null;
    return {
      get isSettled() {
        return settled() !== null;
      },
      take: () => {
        const current = settled();
        if (current === null) throw new Error('the call is not settled');
        if ('error' in current) throw current.error;
        return current.answer;
      },
      leave: () => {
        if (settled() === null) scope.cancel();
      },
    };
  }

  /** Waits and serves messages. An unsettled `call` keeps running: its owner serves it again or abandons it. */
  async serve<Answer = never>({ wait, until, isOver }: Waiting, call?: Call<Answer>): Promise<ServeResult<Answer>> {
    const since = now();
    for (;;) {
      if (call?.isSettled === true) {
        this.idleEnds = 0;
        return { kind: 'done', answer: call.take() };
      }
      if (isOver()) return this.endWait('over');
      const current = wait(since);
      this.shown = current;
      this.show(current);
      const message = this.messages.shift();
      if (message !== undefined) {
        this.idleEnds = 0;
        await message.handle();
        continue;
      }
      const deadline = until?.() ?? null;
      this.dueAt = deadline;
      if (deadline !== null && isReached(deadline)) return this.endWait('due');
      if (until === undefined) this.timer.suspend();
      else this.timer.set(deadline, current.next);
      const clock = clockRevision();
      const isMoved = () => (until?.() ?? null) !== deadline || clockRevision() !== clock;
      const isCalledFor = () => this.hasMessages || call?.isSettled === true || this.timer.isDue;
      await waitUntil(() => isCalledFor() || isMoved() || isOver());
      this.idleEnds = 0;
    }
  }

  /**
   * Ends a wait. Throws when waits keep ending and nothing happens: Temporal then tries this workflow's task again,
   * later and later, and every other workflow goes on.
   */
  private endWait<Kind extends 'due' | 'over'>(kind: Kind): { readonly kind: Kind } {
    this.idleEnds += 1;
    if (this.idleEnds > MOST_IDLE_ENDS)
      throw new Error(`no progress: the wait for ${this.shown.for} is ${kind} again and again`);
    return { kind };
  }

  /** Like `serve` for one call that nothing else waits for: it is abandoned when the wait ends before its answer. */
  async serveCall<Answer>(waiting: Waiting, start: () => Promise<Answer>): Promise<ServeResult<Answer>> {
    const call = this.call(start);
    try {
      return await this.serve(waiting, call);
    } finally {
      call.leave();
    }
  }

  /** Waits for abandoned calls and serves messages. Each call ends within its own limit. */
  async untilCallsEnd(): Promise<void> {
    const { shown } = this;
    await this.serve({ wait: () => shown, isOver: () => this.callsUnderWay === 0 });
  }
}

/** The caller gets the reason of a failed step: an act that does not exist, for instance. */
function reasonOf(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}

/**
 * Registers the handler of an update. `validate` refuses what cannot succeed, before it enters the history. A
 * cancellation request to Temporal, which payments ignore, does not end what a handler waits for; a run that has ended
 * answers none.
 */
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

/** Refuses an update without the id of a person's stored act. The step reads the act itself. */
export function assertActId(actId: unknown): void {
  if (typeof actId !== 'string' || !isId('staffAct', actId))
    throw ApplicationFailure.nonRetryable('a decision needs the id of a stored act', 'InvalidReview');
}
