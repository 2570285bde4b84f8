// The frame of every step of a payment: read the row, decide, and store what follows if the row is still the one that
// was read; otherwise read and decide again.
import type { PaymentOrder } from '../../contract/temporal/payment.js';
import type { ActRef, AskedPayment, Loaded, PaymentId, PaymentRef } from '../../contract/temporal/payment-steps.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { PersonAct, StaffAct } from '../../domain/staff.js';
import type { PaymentWrite } from '../../store/payments/effects.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { AlertStore } from '../alerts.js';
import type { RulesEngine } from '../rules.js';
import { noticingInvented, type RefusalStore } from './orders.js';
import { contended, MAX_TRIES, untilStored } from './retries.js';

/** The rows of one kind of payment. Each call is one statement. */
export interface PaymentStore<Row, Change> extends RefusalStore {
  /** Throws MissingRowError if the operation has no such payment. */
  read(payment: PaymentId): Promise<Row>;
  /** The stored act of a person; `null` if there is none. */
  readAct(id: string): Promise<StaffAct | null>;
  /**
   * Answers the row after the change; `null` if nothing was stored, because the row changed since it was read or what
   * the change uses up is gone. Throws MovementTakenError if another payment has a movement of the bank.
   */
  store(write: PaymentWrite<Row, Change>): Promise<Row | null>;
}

/** What the steps of both kinds of payment need besides its rows. */
export interface StepDependencies {
  /** `null` if this process does not serve the rules. */
  readonly rules: RulesEngine | null;
  readonly sealer: Sealer;
  /** This process's environment. It calls no provider for an operation of another one. */
  readonly environment: 'sandbox' | 'production';
}

/** What a step answers, and the change that it stores first; `null` if nothing changes. */
export interface Decision<Outcome, Change> {
  readonly outcome: Outcome;
  readonly change: Change | null;
  /** The rules' decision behind the change. */
  readonly decision?: DecisionRecord | null;
}

interface Decided<Row, Outcome> {
  readonly row: Row;
  readonly outcome: Outcome;
}

/**
 * Reads, decides and stores. `first` is what the caller has read already. A person's act is read before the row, so the
 * row includes the change of an act that is used.
 */
export async function decideAndStore<Row, Change, Outcome>(
  payments: PaymentStore<Row, Change>,
  ref: PaymentRef,
  decide: (row: Row, act: StaffAct | null) => Decision<Outcome, Change> | Promise<Decision<Outcome, Change>>,
  { first, actId = null }: { readonly first?: Row; readonly actId?: string | null } = {},
): Promise<Decided<Row, Outcome>> {
  let known = first;
  return untilStored(async () => {
    const act = actId === null ? null : await payments.readAct(actId);
    const read = known ?? (await payments.read(ref));
    known = undefined;
    const { outcome, change, decision = null } = await decide(read, act);
    const row = change === null ? read : await payments.store({ row: read, change, at: ref.at, decision });
    return row === null ? null : { row, outcome };
  });
}

/** Stores one change after another, each decided on the row as it is by then, until none follows. */
export async function storeInTurn<Row, Change>(
  payments: PaymentStore<Row, Change>,
  ref: PaymentRef,
  start: Row,
  next: (row: Row) => Change | null,
): Promise<Row> {
  let row = start;
  for (let lost = 0; lost < MAX_TRIES;) {
    const change = next(row);
    if (change === null) return row;
    const stored = await payments.store({ row, change, at: ref.at, decision: null });
    if (stored === null) lost += 1;
    row = stored ?? (await payments.read(ref));
  }
  throw contended();
}

/** What an act comes to: a change to store, or a word that says why there is none. */
type ActResult = object | string;

/** Does an act: what the domain answers to the row is stored. `actId`: the act is a person's. */
export function actOn<Row, Result extends ActResult>(
  payments: PaymentStore<Row, Extract<Result, object>>,
  ref: PaymentRef,
  decide: (row: Row, stored: StaffAct | null) => Result,
  actId: string | null = null,
): Promise<Decided<Row, Extract<Result, string> | 'done'>> {
  type Acted = Decision<Extract<Result, string> | 'done', Extract<Result, object>>;
  const decided = (row: Row, stored: StaffAct | null): Acted => {
    const result: ActResult = decide(row, stored);
    return typeof result === 'string'
      ? { outcome: result as Extract<Result, string>, change: null }
      : { outcome: 'done', change: result as Extract<Result, object> };
  };
  return decideAndStore(payments, ref, decided, { actId });
}

/** The same for a person. */
export function personActOn<Row extends { readonly record: unknown }, Result extends ActResult>(
  payments: PaymentStore<Row, Extract<Result, object>>,
  { actId, ...ref }: ActRef,
  decide: (record: Row['record'], act: PersonAct) => Result,
): Promise<Decided<Row, Extract<Result, string> | 'done'>> {
  return actOn(payments, ref, ({ record }, stored) => decide(record, { actId, stored, at: ref.at }), actId);
}

/** The change, with the version of the provider contract by which the answer behind it was read. */
export function readBy<Change extends object>(contract: string, change: Change | null): Change | null {
  return change === null ? null : { ...change, contract };
}

interface Row {
  readonly order: Pick<PaymentOrder, 'operationName' | 'provider' | 'amountMinor'>;
  readonly clock?: OperationClock | null;
}

/** Loads a payment for a new run of its process: the row, and what the process shows and passes on. */
export async function load<Found extends Row>(
  payments: AlertStore & { read(payment: AskedPayment): Promise<Found> },
  ref: PaymentRef,
  operatorReasonsOf: (row: Found) => number = () => 0,
): Promise<{ readonly row: Found; readonly loaded: Loaded }> {
  const row = await noticingInvented(payments, ref, () => payments.read(ref));
  const { id, operationId } = ref;
  const { operationName, provider, amountMinor } = row.order;
  const context = { id, operationId, operationName, provider, amountMinor, operatorReasons: operatorReasonsOf(row) };
  return { row, loaded: { context, ...(row.clock == null ? {} : { clock: row.clock }) } };
}
