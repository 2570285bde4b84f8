// What every step of a payment is given and answers. A step reads the payment's row, asks whom it must, decides with
// the pure functions of domain/, and stores the answer with the transition that follows, guarded by the row's revision.
// So nothing that moves money crosses Temporal as an argument: a step gets ids, and answers with the current row.
import type { OperationClock } from '../../domain/operation-clock.js';
import type { ProcessCondition } from '../../domain/payments/outside-waits.js';

/** The `seenVersion` of a process that was started again. */
export const NOTHING_SEEN = -1;

/** A payment of an operation: another operation's is not found. */
export interface PaymentId {
  readonly id: string;
  readonly operationId: string;
}

/** The payment that a step is asked about. */
export interface AskedPayment extends PaymentId {
  /** The public version that the process has seen, or NOTHING_SEEN. */
  readonly seenVersion: number;
}

/** The payment that a step is about, when it is run. */
export interface PaymentRef extends AskedPayment {
  /** The time of the decision and of what is stored, by PostgreSQL's clock, RFC 3339. Callers cannot set it. */
  readonly at: string;
}

/** What the caller of a step passes: its input without the time, which the step adds. */
export type Undated<Input> = Omit<Input, 'at'>;

/** The alert of a condition that a payment's process notices. `code`: why, if a code says it. */
export interface ProcessAlertOrder {
  readonly id: string;
  readonly operationId: string;
  readonly condition: ProcessCondition;
  readonly code: string | null;
}

/** A step that does a person's act. What the person wants is stored under the act's id; Temporal carries only the id. */
export interface ActRef extends PaymentRef {
  readonly actId: string;
}

/** What a process shows of its payment in the Temporal UI and passes to its calls. It never changes. */
export interface PaymentContext {
  readonly id: string;
  readonly operationId: string;
  readonly operationName: string;
  readonly provider: string;
  readonly amountMinor: bigint;
  /** Number of the operator's own review reasons. Their text may name a person and stays sealed. */
  readonly operatorReasons: number;
}

/** A payment whose process is started again. */
export interface Loaded {
  readonly context: PaymentContext;
  /** Its operation's clock, where that is not real time. */
  readonly clock?: OperationClock | undefined;
}

/** The part of every step's answer that the process adopts. */
export interface Stored<State> {
  readonly state: State;
}

/**
 * A snapshot with the proof of the step that stored it (store/sealing/proofs.ts); `null`: it could give none.
 * The api serves a snapshot only with its proof.
 */
export interface Vouched<Snapshot> {
  readonly snapshot: Snapshot;
  readonly proof: string | null;
}

/**
 * `asked`: the rules decide; fails with `RULES_ELSEWHERE` in a process that does not serve them. `silent`: they did not
 * answer, and the step does what the specification requires then.
 */
export type RulesMode = 'asked' | 'silent';

/** A refusal of a new payment, with the proof of the step that stored it. */
export interface VouchedRefusal<Code> {
  readonly kind: 'refused';
  readonly code: Code;
  readonly proof: string | null;
}

/** The failure type of a step that needs the rules in a process that does not serve them, or where they are slow. */
export const RULES_ELSEWHERE = 'RulesElsewhere';
/** The failure type of a creation whose order the gateway did not make: nothing is stored. */
export const UNPROVEN_ORDER = 'UnprovenOrder';
/** The failure type of a creation whose order is too old: nothing is stored, and the api makes a new one. */
export const EXPIRED_ORDER = 'ExpiredOrder';
/** The failure type of a creation whose order was refused in another run: somebody started a copy of it. */
export const COPIED_ORDER = 'CopiedOrder';
/** The failure type of a step whose provider did not answer at once: a patient activity asks until it does. */
export const NOT_AT_ONCE = 'NotAtOnce';
/** Why a followed payout has not changed: the provider does not know it, or has not finished it. */
export const NO_TRACE = 'no_trace';
export const NOT_FINISHED = 'not_finished';
