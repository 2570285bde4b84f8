// The activities that write payments to Postgres, each one statement. They run as local activities: short, and safe to
// repeat. An attempt whose answer was lost is found again: the repeat answers what is stored.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type {
  DepositInsertionInput,
  DepositTransitionInput,
  FoundDeposit,
  FoundWithdrawal,
  Insertion,
  RaisedAlert,
  WithdrawalInsertionInput,
  WithdrawalTransitionInput,
} from '../../contract/temporal/transitions.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import type { ChargeResult } from '../provider/types.js';

/** The step of `openDeposit` that inserts the row. */
export interface DepositAdmissions {
  admitDeposit(input: DepositInsertionInput): Promise<Insertion<FoundDeposit>>;
}

export type DepositOpening =
  /** `charge` is null if the provider did not answer at once: an activity then asks until it does. */
  | { readonly kind: 'admitted'; readonly found: FoundDeposit | null; readonly charge: ChargeResult | null }
  | Exclude<Insertion<FoundDeposit>, { kind: 'admitted' }>;

export interface OpeningActivities {
  /** Inserts the deposit's row, then asks the provider once for its charge, within `chargeWithinMs`. */
  openDeposit(input: DepositInsertionInput & { chargeWithinMs: number }): Promise<DepositOpening>;
}

export interface StoreActivities {
  storeDeposit(input: DepositTransitionInput): Promise<'stored' | FoundDeposit>;
  loadDeposit(input: {
    depositId: string;
    operationId: string;
  }): Promise<{ order: DepositOrder; deposit: DepositSnapshot; sealedPayer: string | null }>;
  /** Inserts the withdrawal and reserves its money. */
  admitWithdrawal(input: WithdrawalInsertionInput): Promise<Insertion<FoundWithdrawal>>;
  /** `cap_reached`: nothing is stored, because the amount exceeds what is left of the operation's automatic cap. */
  storeWithdrawal(input: WithdrawalTransitionInput): Promise<'stored' | 'cap_reached' | FoundWithdrawal>;
  loadWithdrawal(input: {
    withdrawalId: string;
    operationId: string;
  }): Promise<{ order: WithdrawalOrder; withdrawal: WithdrawalSnapshot }>;
  raiseAlert(input: RaisedAlert): Promise<void>;
}
