// How long the api waits for a workflow, per kind of question.

export interface Deadlines {
  /** The workflow answers within its own 7 s budget; this leaves room for the way there and back. */
  readonly creationMs: number;
  readonly actionMs: number;
  /** A read never waits longer than this for a workflow; Postgres answers then. */
  readonly queryMs: number;
  readonly signalMs: number;
  /** How long a sandbox action on an approved withdrawal waits for its payout to reach the provider. */
  readonly payoutArrivalMs: number;
  /** How long a sandbox action leaves it to the provider's callback to move the payment, before it has it look itself. */
  readonly callbackMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  creationMs: 9_000,
  actionMs: 9_000,
  queryMs: 1_000,
  signalMs: 5_000,
  payoutArrivalMs: 6_000,
  callbackMs: 2_500,
};
