// What a run needs of the world around it.
import type { TaskQueue } from '../../contract/temporal/workers.js';
import type { Chance } from '../machine/chance.js';
import type { LabProcess } from '../machine/processes.js';
import type { Command, Job } from './workflow-code.js';

export type Step = (input: unknown) => Promise<unknown>;

/** A worker of a queue. */
export interface Serving {
  readonly process: LabProcess;
  readonly activities: Readonly<Record<string, Step | undefined>>;
  /** The activities that may run in a workflow's own task. */
  readonly steps: readonly string[];
}

/** What a step may ask about itself: of the SDK's own information, what the gateway's steps read. */
export interface StepInfo {
  readonly activityType: string;
  /** Whether it runs in its workflow's own task. */
  readonly isLocal: boolean;
  readonly attempt: number;
  readonly currentAttemptScheduledTimestampMs: number;
  readonly workflowExecution: { readonly workflowId: string; readonly runId: string };
}

/** Time as the runs need it. */
export interface RunClock {
  readonly nowMs: number;
  /** @returns how to take it back */
  after(milliseconds: number, action: () => void): () => void;
  /** Resolves when the process goes on; `null`: it is not frozen. */
  thawed(process: LabProcess | undefined): Promise<void> | null;
}

/** A run, as its host sees it. */
export interface HostedRun {
  readonly type: string;
  readonly workflowId: string;
  readonly queue: TaskQueue;
  readonly activations: number;
  readonly startedAtMs: number;
  readonly events: number;
}

export interface RunHost {
  readonly clock: RunClock;
  readonly chance: Chance;
  /** A worker of the queue; `null`: there is none now. */
  serving(queue: TaskQueue): Serving | null;
  taskDelayMs(): number;
  suggestsContinueAsNew(run: HostedRun): boolean;
  processorMs(): number;
  /** After so long workflow code is ended; undefined: somebody outside of the process ends all of it. */
  readonly codeLimitMs: number | undefined;
  /** Absent: the prebuilt one. */
  readBundle?(): Promise<string>;
  /** Runs a step in the SDK's context of activities. */
  inContext<T>(info: StepInfo, work: () => Promise<T>): Promise<T>;
  activated(run: HostedRun, tookMs: number, isReplaying: boolean): void;
  tried(run: HostedRun, activity: string): void;
  taskFailed(run: HostedRun, message: string): void;
  closed(run: HostedRun): void;
  /** What its history gets: what came to it, and what it wanted. */
  recorded?(run: HostedRun, event: Job | Command): void;
  continued(run: HostedRun, input: readonly unknown[]): void;
  /** A fault of the lab, or of the workflow's code, that no retry mends. */
  broken(run: HostedRun, error: unknown): void;
  /** Something rare happened. */
  sometimes(what: string): void;
}
