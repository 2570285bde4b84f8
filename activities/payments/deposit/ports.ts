// What the steps of a deposit need: its rows, the rules, the provider, and the keys of sealed values.
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { AlertKind } from '../../../domain/alerts.js';
import type { DepositChange, ReturnRequest } from '../../../domain/payments/deposit-record.js';
import type { Permission } from '../../../domain/payments/permissions.js';
import type { ReturnConclusion } from '../../../domain/payments/returns.js';
import type { DepositInsertion, InsertedDeposit } from '../../../store/payments/deposit/insert.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { PaymentStore } from '../step.js';
import type { BriefCalls } from '../../provider/brief-calls.js';
import type { ChargeCalls } from '../../provider/types.js';
import type { RulesEngine } from '../../rules/types.js';

type Environment = 'sandbox' | 'production';

/** Deposits as they are stored. An insertion that inserts nothing needs a second statement to find out why. */
export interface DepositStore extends PaymentStore<DepositRow, DepositChange> {
  insert(input: DepositInsertion): Promise<InsertedDeposit>;
  /** Whether the database permits the charge of the deposit as it was read. */
  permitCharge(row: DepositRow, environment: Environment): Promise<Permission>;
  /** Whether the database permits this return of the deposit as it was read. */
  permitReturn(row: DepositRow, asked: ReturnRequest, environment: Environment): Promise<Permission>;
  /** What people concluded of the return that was requested by this act; `null` if nothing. */
  readConclusion(returnActId: string): Promise<ReturnConclusion | null>;
  /** Resolves the deposit's open alerts of a kind. */
  resolveAlerts(deposit: PaymentRef, kind: AlertKind): Promise<void>;
}

export interface DepositDependencies {
  readonly deposits: DepositStore;
  /** `null` if this process does not serve the rules. */
  readonly rules: RulesEngine | null;
  readonly charges: ChargeCalls;
  /** Separate limits: a provider that is slow to create charges may still answer look-ups. */
  readonly brief: { readonly charges: BriefCalls; readonly lookUps: BriefCalls };
  readonly sealer: Sealer;
  /** This process's environment. It calls no provider for an operation of another one. */
  readonly environment: Environment;
}
