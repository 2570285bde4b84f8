// What the steps of a withdrawal need: its rows, the rules, the provider, and the keys of sealed values.
import type { PermissionRefusal } from '../../../domain/payments/permissions.js';
import type { WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import type { InsertedWithdrawal, WithdrawalInsertion } from '../../../store/payments/withdrawal/insert.js';
import type { PayoutAttempt } from '../../../store/payments/withdrawal/payout-sends.js';
import type { PaymentStore } from '../step.js';
import type { BriefCalls } from '../../provider/brief-calls.js';
import type { PayoutCalls } from '../../provider/types.js';
import type { Clocks } from './deadline.js';
import type { RulesEngine } from '../../rules/types.js';

/** Withdrawals as they are stored. Every write compares the row with what was read. */
export interface WithdrawalStore extends PaymentStore<WithdrawalRow, WithdrawalChange> {
  insert(input: WithdrawalInsertion): Promise<InsertedWithdrawal>;
  /** Stores that the checks before the send passed. `null` if the withdrawal changed since it was read. */
  clear(row: WithdrawalRow, decision: DecisionRecord | null): Promise<WithdrawalRow | null>;
  /** Takes the permission to send, or returns why it is refused. */
  claim(row: WithdrawalRow, attempt: PayoutAttempt): Promise<WithdrawalRow | PermissionRefusal>;
  /** Whether a block list, the operation or a pause of the provider forbids the send by now. */
  isForbidden(row: WithdrawalRow): Promise<boolean>;
  /**
   * Stores that the attempt, which asked for the permission of the withdrawal as it was read, sent nothing. It has no
   * permission after that, and gets none.
   */
  giveBack(row: WithdrawalRow, attempt: string): Promise<void>;
  /**
   * Stores that a look-up found nothing. `false` if the withdrawal changed since it was read, or its send is no longer
   * open.
   */
  countTraceless(row: WithdrawalRow, lookUp: { readonly at: string; readonly isTraced: boolean }): Promise<boolean>;
  /** Stores that a look-up found it still processing. `false` if the withdrawal changed since it was read. */
  noteUnfinished(row: WithdrawalRow): Promise<boolean>;
}

export interface WithdrawalDependencies {
  readonly withdrawals: WithdrawalStore;
  /** `null` if this process does not serve the rules. */
  readonly rules: RulesEngine | null;
  readonly payouts: PayoutCalls;
  /** Separate limits: a provider whose key directory is slow may still answer look-ups. */
  readonly brief: { readonly keyOwners: BriefCalls; readonly lookUps: BriefCalls };
  readonly sealer: Sealer;
  /** This process's environment. It never sends for an operation of another one. */
  readonly environment: 'sandbox' | 'production';
  readonly clocks: Clocks;
}
