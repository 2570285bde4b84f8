// What stores a change of a payment's row is given and answers.
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import type { DecisionRecord } from '../rules/decisions.js';

/** One change of a payment. */
export interface PaymentWrite<Row, Change> {
  /** As it was read: another revision stores nothing. */
  readonly row: Row;
  readonly change: Change;
  /** The time of the step, RFC 3339. */
  readonly at: string;
  /** The rules' decision that the change follows from, if there is one. */
  readonly decision: DecisionRecord | null;
}

/** The row after a change, and the event that the change publishes. */
export interface Changed<Row> {
  readonly row: Row;
  readonly event: PublishedEvent | null;
}
