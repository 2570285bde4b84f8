// A scenario under way, as the checks see it: its payments, and what happened to each.
import type { ProvedDeposit } from '../harness/deposit.js';
import type { Stage } from '../harness/stage.js';
import type { ProvedWithdrawal } from '../harness/withdrawal.js';

export interface PlayedScenario {
  readonly stage: Stage;
  readonly operationId: string;
  readonly deposits: readonly ProvedDeposit[];
  readonly withdrawals: readonly ProvedWithdrawal[];
  readonly payments: readonly (ProvedDeposit | ProvedWithdrawal)[];
  readonly history: History;
}

/** What happened to each payment, in words. */
export class History {
  private readonly notes = new Map<string, Set<string>>();

  note(id: string, what: string): void {
    this.notes.set(id, (this.notes.get(id) ?? new Set()).add(what));
  }

  /** Whether any of these happened. */
  has(id: string, ...what: readonly string[]): boolean {
    return what.some((one) => this.notes.get(id)?.has(one));
  }
}
