// What the steps of a withdrawal work with, as ports: tests give them doubles.
import type { PermissionRefusal } from '../../domain/permissions.js';
import type { StaffAct } from '../../domain/staff.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { HeldWithdrawal, WithdrawalRef } from '../../store/withdrawals/held.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import type { InsertedWithdrawal, WithdrawalInsertion } from '../../store/withdrawals/insert.js';
import type { PayoutAttempt } from '../../store/withdrawals/payout-sends.js';
import type { StoredChange, WithdrawalWrite } from '../../store/withdrawals/transition.js';
import type { RefusalStore } from '../payments/refusals.js';
import type { BriefSlots } from '../provider/brief-calls.js';
import type { PayoutCalls } from '../provider/types.js';
import type { Clocks } from './deadline.js';
import type { RulesEngine } from '../rules/types.js';

/** Withdrawals as they are stored. Every write compares the row with what was read. */
export interface WithdrawalStore extends RefusalStore {
  /** The stored act of a person; null if there is none. */
  readAct(id: string): Promise<StaffAct | null>;
  /** Throws MissingRowError. */
  read(ref: WithdrawalRef): Promise<HeldWithdrawal>;
  insert(input: WithdrawalInsertion): Promise<InsertedWithdrawal>;
  store(write: WithdrawalWrite): Promise<StoredChange>;
  /** Stores that the checks before the send passed. `null` if the withdrawal changed since it was read. */
  clear(held: HeldWithdrawal, decision: DecisionRecord | null): Promise<HeldWithdrawal | null>;
  /** Takes the permission to send, or returns why it is refused. */
  claim(held: HeldWithdrawal, attempt: PayoutAttempt): Promise<HeldWithdrawal | PermissionRefusal>;
  /** Whether a block list, the operation or a pause of the provider forbids the send by now. */
  isForbidden(held: HeldWithdrawal): Promise<boolean>;
  /**
   * Stores that the attempt, which asked for the permission of the withdrawal as it was held, sent nothing. It has no
   * permission after that, and gets none.
   */
  giveBack(held: HeldWithdrawal, attempt: string): Promise<void>;
  /**
   * Stores that a look-up found nothing. `false` if the withdrawal changed since it was read, or its send is no longer
   * open.
   */
  countTraceless(held: HeldWithdrawal, lookUp: { readonly at: string; readonly isTraced: boolean }): Promise<boolean>;
  /** Stores that a look-up found it still processing. `false` if the withdrawal changed since it was read. */
  noteUnfinished(held: HeldWithdrawal): Promise<boolean>;
}

export interface WithdrawalDependencies {
  readonly withdrawals: WithdrawalStore;
  /** `null` if this process does not serve the rules. */
  readonly engine: RulesEngine | null;
  readonly calls: PayoutCalls;
  readonly sealer: Sealer;
  /** Shared with the other steps of the process. */
  readonly briefSlots?: BriefSlots;
  /** This process's environment. It never sends for an operation of another one. */
  readonly environment: 'sandbox' | 'production';
  readonly clocks: Clocks;
}
