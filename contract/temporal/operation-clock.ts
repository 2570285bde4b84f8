// How the clock of an operation of the sandbox reaches its workflows, and what they say about what is due next.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { OperationClock } from '../../domain/operation-clock.js';

/** A signal, because no caller waits: the clock was set, and what is due by it is done now. */
export const clockSet = defineSignal<[OperationClock]>('clockSet');

/** When a payment's process goes on by itself, and whether it is doing something. */
export interface NextStep {
  /** RFC 3339, by the operation's clock; `null`: it waits for somebody else. */
  readonly dueAt: string | null;
  /** RFC 3339, real time: since when it waits for a step or a provider; `null`: nothing is under way. */
  readonly busySince: string | null;
  /** Rises whenever something changes the payment. */
  readonly revision: number;
  /** Of the clock that it has been told. */
  readonly clockRevision: number;
}

/** A query, because reads must not change the history. `null` until the payment exists. */
export const nextStep = defineQuery<NextStep | null>('nextStep');
