// The rows of deposits and withdrawals in PostgreSQL. Committed transitions are counted by the state they lead to,
// which is added to their span. What an earlier attempt stored was counted when it was stored.
import { claimed, cleared } from '../../domain/payments/withdrawal-record.js';
import { count } from '../../platform/telemetry/instruments.js';
import { annotateSpan } from '../../platform/telemetry/spans.js';
import { resolveAlerts } from '../../store/alerts/alerts.js';
import { insertDeposit } from '../../store/payments/deposit/insert.js';
import { permitCharge, permitReturn, readConclusion } from '../../store/payments/deposit/provider-requests.js';
import { readDeposit } from '../../store/payments/deposit/read.js';
import { type OrderRefusal, storeRefusal } from '../../store/payments/insertion.js';
import { storeDepositChange } from '../../store/payments/deposit/transition.js';
import type { Database } from '../../store/database.js';
import type { EventStore, PaymentWrite } from '../../store/payments/effects.js';
import { insertWithdrawal } from '../../store/payments/withdrawal/insert.js';
import {
  claimPayoutSend,
  clearPayoutSend,
  countTracelessLookUp,
  givePermissionBack,
  isPayoutForbidden,
  noteUnfinishedLookUp,
} from '../../store/payments/withdrawal/payout-sends.js';
import { readWithdrawal } from '../../store/payments/withdrawal/read.js';
import { storeWithdrawalChange } from '../../store/payments/withdrawal/transition.js';
import { type DecisionRecord, insertDecision } from '../../store/rules/decisions.js';
import type { AlertStore } from '../alerts.js';
import { actReader } from '../staff-acts.js';
import type { DepositStore } from './deposit/ports.js';
import type { WithdrawalStore } from './withdrawal/ports.js';

/** `raise` stores an alert, unless one of its kind is open for the payment. */
function common(database: Database, raise: AlertStore['raiseAlert']) {
  return {
    readAct: actReader(database, raise),
    refuse: (refusal: OrderRefusal) => storeRefusal(database, refusal),
    storeDecision: (decision: DecisionRecord) => insertDecision(database, decision),
    raiseAlert: raise,
  };
}

/** `raise`: as in `common`. */
export function createDepositStore(store: EventStore, raise: AlertStore['raiseAlert']): DepositStore {
  const { database, sealer } = store;
  return counted<DepositStore>('deposit', {
    ...common(database, raise),
    read: (deposit) => readDeposit(database, deposit),
    insert: (input) => insertDeposit(database, sealer, input),
    permitCharge: (row, environment) => permitCharge(database, sealer, row, environment),
    permitReturn: (row, asked, environment) => permitReturn(database, row, asked, environment),
    readConclusion: (returnActId) => readConclusion(database, returnActId),
    store: (write) => storeDepositChange(store, write),
    resolveAlerts: ({ id: objectId, at }, kind) => resolveAlerts(database, { kind, objectId, at }),
  });
}

/** `raise`: as in `common`. */
export function createWithdrawalStore(store: EventStore, raise: AlertStore['raiseAlert']): WithdrawalStore {
  const { database, sealer } = store;
  return counted<WithdrawalStore>('withdrawal', {
    ...common(database, raise),
    read: (withdrawal) => readWithdrawal(database, withdrawal),
    insert: (input) => insertWithdrawal(store, input),
    store: (write) => storeWithdrawalChange(store, write),
    async clear(row, decision) {
      const isCleared = await clearPayoutSend(database, row, decision);
      return isCleared ? { ...row, record: cleared(row.record) } : null;
    },
    async claim(row, attempt) {
      const permission = await claimPayoutSend(database, sealer, row, attempt);
      return permission === 'given' ? { ...row, record: claimed(row.record, attempt.attempt) } : permission;
    },
    giveBack: (row, attempt) => givePermissionBack(database, row, attempt),
    countTraceless: (row, lookUp) => countTracelessLookUp(database, row, lookUp),
    isForbidden: (row) => isPayoutForbidden(database, row),
    noteUnfinished: (row) => noteUnfinishedLookUp(database, row),
  });
}

interface InState {
  readonly record: { readonly snapshot: { readonly status: string } };
}

/** What stores the transitions of one kind of payment, whatever else it is given. */
interface Rows {
  insert(input: never): Promise<{ readonly kind: string }>;
  store(write: never): Promise<InState | null>;
}

/** The same rows, with each transition counted. */
function counted<Store extends Rows>(kind: 'deposit' | 'withdrawal', rows: Store): Store {
  const counting = ({ record: { snapshot } }: InState) => {
    count('gateway_transitions_total', { kind, to: snapshot.status });
    annotateSpan({ 'gateway.state': snapshot.status });
  };
  return {
    ...rows,
    async insert(input: InState) {
      const inserted = await rows.insert(input as never);
      if (inserted.kind === 'inserted') counting(input);
      return inserted;
    },
    async store(write: PaymentWrite<InState, { readonly trigger: string | null }>) {
      const row = await rows.store(write as never);
      if (row !== null && write.change.trigger !== null) counting(row);
      return row;
    },
  };
}
