// What the steps of a deposit need: its rows, the rules, the provider, and the keys of sealed values.
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import type { AlertKind } from '../../domain/alerts.js';
import type { Permission } from '../../domain/permissions.js';
import type { ReturnConclusion } from '../../domain/return-conclusion.js';
import type { StaffAct } from '../../domain/staff.js';
import type { DepositInsertion, DepositInsertionInput } from '../../store/deposits/insert.js';
import type { ReturnToPermit } from '../../store/deposits/permissions.js';
import type { DepositToRead, KeptDeposit } from '../../store/deposits/read.js';
import type { DepositWrite } from '../../store/deposits/transition.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { RefusalStore } from '../payments/refusals.js';
import type { BriefCalls } from '../provider/brief-calls.js';
import type { ChargeCalls } from '../provider/types.js';
import type { RulesEngine } from '../rules/types.js';

type Environment = 'sandbox' | 'production';

/**
 * The rows of deposits. Each call is one statement; an insertion that inserts nothing needs a second one to find out
 * why.
 */
export interface DepositStore extends RefusalStore {
  /** `null` if the operation has no such deposit. */
  read(deposit: DepositToRead): Promise<KeptDeposit | null>;
  /** The stored act of a person; null if there is none. */
  readAct(id: string): Promise<StaffAct | null>;
  insert(input: DepositInsertionInput): Promise<DepositInsertion>;
  /** Whether the database permits the charge of the deposit as it was read. */
  permitCharge(kept: KeptDeposit, environment: Environment): Promise<Permission>;
  /** Whether the database permits this return of the deposit as it was read. */
  permitReturn(kept: KeptDeposit, asked: ReturnToPermit, environment: Environment): Promise<Permission>;
  /** What people concluded of the return that was requested by this act; `null` if nothing. */
  readConclusion(returnActId: string): Promise<ReturnConclusion | null>;
  /**
   * Answers the row after the change; `null` if it changed since it was read: then nothing is stored. Throws
   * MovementTakenError if another deposit has its payment.
   */
  store(write: DepositWrite): Promise<KeptDeposit | null>;
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
