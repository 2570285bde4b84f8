// What the steps of a deposit need (its rows, the rules, the provider, and the keys of sealed values), what they ask
// the provider, and what they answer.
import type { StoredDepositOrder } from '../../../contract/temporal/payment.js';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { AlertKind } from '../../../domain/alerts.js';
import type { DepositChange, ReturnRequest } from '../../../domain/payments/deposit-record.js';
import type { Permission } from '../../../domain/payments/permissions.js';
import type { ReturnConclusion } from '../../../domain/payments/returns.js';
import type { KnownSpan } from '../../../domain/provider-clock.js';
import type { DepositInsertion, InsertedDeposit } from '../../../store/payments/deposit/insert.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import type { BriefCalls } from '../../provider/brief-calls.js';
import type { ChargeCalls } from '../../provider/charges.js';
import type { PaymentStore, StepDependencies } from '../step.js';
import type { StoredDeposit } from '../types.js';

/** Deposits as they are stored. An insertion that inserts nothing needs a second statement to find out why. */
export interface DepositStore extends PaymentStore<DepositRow, DepositChange> {
  insert(input: DepositInsertion): Promise<InsertedDeposit>;
  /** Whether the database permits the charge of the deposit as it was read. */
  permitCharge(row: DepositRow, environment: StepDependencies['environment']): Promise<Permission>;
  /** Whether the database permits this return of the deposit as it was read. */
  permitReturn(
    row: DepositRow,
    asked: ReturnRequest,
    environment: StepDependencies['environment'],
  ): Promise<Permission>;
  /** What people concluded of the return that was requested by this act; `null` if nothing. */
  readConclusion(returnActId: string): Promise<ReturnConclusion | null>;
  /** Resolves the deposit's open alerts of a kind. */
  resolveAlerts(deposit: PaymentRef, kind: AlertKind): Promise<void>;
}

export interface DepositDependencies extends StepDependencies {
  readonly deposits: DepositStore;
  readonly charges: ChargeCalls;
  /** Separate limits: a provider that is slow to create charges may still answer look-ups. */
  readonly brief: { readonly charges: BriefCalls; readonly lookUps: BriefCalls };
}

/** The version of a deposit that the provider's answer leads to: `pending`, with instructions, or `failed`. */
const INSTRUCTED_VERSION = 2;

/** The part of a step's answer that the process adopts. The names of the people who decided stay in the row. */
export function answerOf({ record: { snapshot, returnRequest, revision } }: DepositRow): StoredDeposit {
  const told = { ...snapshot, decidedBy: [] };
  return { state: { snapshot: told, proof: null, isReturning: returnRequest !== null, revision } };
}

/**
 * The same answer without the instructions, for a process that has them already: with a PNG they are most of a
 * history's size.
 */
export function withoutHeldInstructions<Answer extends StoredDeposit>(
  answer: Answer,
  { seenVersion }: Pick<PaymentRef, 'seenVersion'>,
): Answer {
  if (seenVersion < INSTRUCTED_VERSION) return answer;
  const { state } = answer;
  return { ...answer, state: { ...state, snapshot: { ...state.snapshot, instructions: null } } };
}

/** What the provider is asked about a stored deposit, and what its times are compared with. */
export function questionOf({ record, order }: DepositRow, at: string): { order: StoredDepositOrder; span: KnownSpan } {
  return { order, span: { since: record.snapshot.createdAt, at } };
}
