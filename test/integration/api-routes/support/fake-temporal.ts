// Temporal as the api sees it, without a server: it answers with the SDK's own results and errors, and records what it
// was asked. Which update answers what is scripted per test.
import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowClient,
  type WithStartWorkflowOperation,
} from '@temporalio/client';
import { ApplicationFailure, type SearchAttributePair, type Workflow } from '@temporalio/common';
import type { TemporalClient } from '../../../../platform/temporal/calls.js';

export interface Start {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly input: unknown;
  readonly reusePolicy: string;
  readonly conflictPolicy: string | undefined;
  readonly staticSummary: string | undefined;
  readonly searchAttributes: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly workflowId: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly updateId?: string | undefined;
}

type Script = (message: Message, start: Start | null) => unknown;

/** Thrown by a script: the call ends as if nobody had answered before the deadline. */
export const NO_ANSWER = new WorkflowUpdateRPCTimeoutOrCancelledError('deadline');

export class FakeTemporal {
  readonly starts: Start[] = [];
  readonly messages: Message[] = [];
  readonly signals: (Message & { readonly start: Start })[] = [];
  readonly deadlines: number[] = [];
  /** Workflows that have ended: by id, the results of their updates by update id. */
  readonly ended = new Map<string, Map<string, unknown>>();
  /** What ended workflows ended with, where it is not `paid`. */
  readonly results = new Map<string, unknown>();
  /** What a worker makes of a scripted answer, such as adding its proof; by default nothing. */
  worker: (message: Message, answer: unknown) => unknown = (_, answer) => answer;
  /** Everything fails as without a connection. */
  isDown = false;
  readonly #scripts = new Map<string, Script>();

  /** What an update or query of that name answers, in every workflow, by a worker of the gateway. */
  script(name: string, answer: Script): void {
    this.#scripts.set(name, async (message, start) => this.worker(message, await answer(message, start)));
  }

  /** The same by somebody else, who has none of its keys. */
  forge(name: string, answer: Script): void {
    this.#scripts.set(name, answer);
  }

  reset(): void {
    this.#scripts.clear();
    this.ended.clear();
    this.results.clear();
    for (const list of [this.starts, this.messages, this.signals, this.deadlines]) list.length = 0;
    this.isDown = false;
  }

  /** The client to hand to the api. */
  client(): TemporalClient {
    const client = {
      withDeadline: (deadline: number, call: () => Promise<unknown>) => {
        this.deadlines.push(deadline);
        return call();
      },
      executeUpdateWithStart: (
        definition: { name: string },
        options: { args?: unknown[]; updateId?: string; startWorkflowOperation: WithStartWorkflowOperation<Workflow> },
      ) => this.#updateWithStart(definition.name, options),
      start: (workflowType: string, options: StartOptions) => this.#start(workflowType, options),
      getHandle: (workflowId: string) => this.#handle(workflowId),
      signalWithStart: (
        workflowType: string,
        options: StartOptions & { signal: { name: string }; signalArgs: unknown[] },
      ) => this.#signalWithStart(workflowType, options),
    };
    return client as unknown as Pick<WorkflowClient, keyof TemporalClient>;
  }

  async #updateWithStart(
    name: string,
    options: { args?: unknown[]; updateId?: string; startWorkflowOperation: WithStartWorkflowOperation<Workflow> },
  ): Promise<unknown> {
    const { startWorkflowOperation, args = [], updateId } = options;
    const start = startOf(
      String(startWorkflowOperation.workflowTypeOrFunc),
      startWorkflowOperation.options as unknown as StartOptions,
    );
    this.starts.push(start);
    if (this.ended.has(start.workflowId) && start.reusePolicy !== 'ALLOW_DUPLICATE') {
      throw new WorkflowExecutionAlreadyStartedError('ended', start.workflowId, start.workflowType);
    }
    return this.#answer({ workflowId: start.workflowId, name, args, updateId }, start);
  }

  async #start(workflowType: string, options: StartOptions): Promise<void> {
    this.#assertUp();
    const start = startOf(workflowType, options);
    this.starts.push(start);
    if (this.ended.has(start.workflowId) && start.reusePolicy !== 'ALLOW_DUPLICATE') {
      throw new WorkflowExecutionAlreadyStartedError('ended', start.workflowId, start.workflowType);
    }
  }

  #handle(workflowId: string) {
    return {
      query: (definition: { name: string }) => this.#answer({ workflowId, name: definition.name, args: [] }, null),
      executeUpdate: async (definition: { name: string }, options: { args?: unknown[] } = {}) => {
        if (this.ended.has(workflowId)) throw new WorkflowNotFoundError('ended', workflowId, undefined);
        return this.#answer({ workflowId, name: definition.name, args: options.args ?? [] }, null);
      },
      result: async () => {
        if (!this.ended.has(workflowId)) throw new WorkflowNotFoundError('none', workflowId, undefined);
        return this.worker({ workflowId, name: 'result', args: [] }, this.results.get(workflowId) ?? 'paid');
      },
      getUpdateHandle: (updateId: string) => ({
        result: async () => {
          const results = this.ended.get(workflowId);
          if (results?.has(updateId) !== true) throw new WorkflowNotFoundError('no such update', workflowId, undefined);
          return this.worker({ workflowId, name: 'creation', args: [], updateId }, results.get(updateId));
        },
      }),
    };
  }

  async #signalWithStart(
    workflowType: string,
    options: StartOptions & { signal: { name: string }; signalArgs: unknown[] },
  ): Promise<void> {
    this.#assertUp();
    const start = startOf(workflowType, options);
    this.signals.push({ workflowId: start.workflowId, name: options.signal.name, args: options.signalArgs, start });
  }

  async #answer(message: Message, start: Start | null): Promise<unknown> {
    this.#assertUp();
    this.messages.push(message);
    const script = this.#scripts.get(message.name);
    if (script === undefined) throw NO_ANSWER;
    return script(message, start);
  }

  #assertUp(): void {
    if (this.isDown)
      throw new ServiceError('Unexpected error while making gRPC request', {
        cause: Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} }),
      });
  }
}

/** An update whose handler failed with that failure type. */
export function updateFailure(type: string): WorkflowUpdateFailedError {
  return new WorkflowUpdateFailedError('update failed', ApplicationFailure.nonRetryable('failed', type));
}

interface StartOptions {
  readonly workflowId: string;
  readonly taskQueue: string;
  readonly args: readonly unknown[];
  readonly workflowIdReusePolicy: string;
  readonly workflowIdConflictPolicy?: string;
  readonly staticSummary?: string;
  readonly typedSearchAttributes?: SearchAttributePair[];
}

function startOf(workflowType: string, options: StartOptions): Start {
  return {
    workflowType,
    workflowId: options.workflowId,
    taskQueue: options.taskQueue,
    input: options.args[0],
    reusePolicy: options.workflowIdReusePolicy,
    conflictPolicy: options.workflowIdConflictPolicy,
    staticSummary: options.staticSummary,
    searchAttributes: Object.fromEntries(
      (options.typedSearchAttributes ?? []).map(({ key, value }) => [key.name, value]),
    ),
  };
}
