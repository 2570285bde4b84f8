// A payment in one of its waits: how it comes there, what happens to it after its workflow was lost and started again,
// and what must have become of it.
import type { LedgerMovement } from '../../../domain/ledger.js';
import { eventually } from '../../../lab/harness/eventually.js';
import type { ProvedDeposit } from '../harness/deposit.js';
import { ACTION_MS } from '../harness/payment.js';
import type { Stage } from '../harness/stage.js';
import type { ProvedWithdrawal } from '../harness/withdrawal.js';

export type Proved = ProvedDeposit | ProvedWithdrawal;

/** What must hold at the end: where it is, what moved (each once, in this order), and how often it was sent. */
export interface End {
  readonly status: string;
  readonly movements: readonly LedgerMovement[];
  readonly sends?: 0 | 1;
}

interface Script<One extends Proved> {
  readonly name: string;
  readonly open: (stage: Stage) => Promise<One>;
  /** Brings it into the wait. */
  readonly enter: (payment: One) => Promise<unknown>;
  /** The send has left, or may have: a cancel is refused. */
  readonly mayHaveLeft?: true;
  /** What happens after it was reopened. */
  readonly goOn: (payment: One) => Promise<unknown>;
  readonly end: End;
}

export interface WaitCase extends Pick<Script<Proved>, 'name' | 'mayHaveLeft' | 'end'> {
  readonly play: (stage: Stage) => Promise<{
    readonly payment: Proved;
    readonly enter: () => Promise<unknown>;
    readonly goOn: () => Promise<unknown>;
  }>;
}

export function caseOf<One extends Proved>({ open, enter, goOn, ...shared }: Script<One>): WaitCase {
  const play = async (stage: Stage) => {
    const payment = await open(stage);
    return { payment, enter: () => enter(payment), goOn: () => goOn(payment) };
  };
  return { ...shared, play };
}

export async function soon(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await eventually(async () => isTrue(), what, ACTION_MS);
}

/** Waits for an alert of the payment, open or not. */
export function alerted(payment: Proved, kind: string): Promise<void> {
  return soon(async () => (await payment.read())?.alerts.includes(kind) ?? false, `${payment.id}: ${kind}`);
}
