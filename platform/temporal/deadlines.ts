// How long the api waits for a workflow, per kind of call.

export interface Deadlines {
  /** The workflow answers within 7 s (`CREATION_ANSWER_BUDGET_MS`); the rest is for the round trip. */
  readonly creationMs: number;
  readonly actionMs: number;
  /** After this time a read is answered from PostgreSQL. */
  readonly queryMs: number;
  readonly signalMs: number;
  /** How long a sandbox action on an approved withdrawal waits for its payout to reach the provider. */
  readonly payoutArrivalMs: number;
  /** How long a sandbox action waits for the provider's callback before it requests a look-up itself. */
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
