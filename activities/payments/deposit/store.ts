// The rows of deposits in PostgreSQL, with their transitions counted.
import { resolveAlerts } from '../../../store/alerts/alerts.js';
import { insertDeposit } from '../../../store/payments/deposit/insert.js';
import { permitCharge, permitReturn, readConclusion } from '../../../store/payments/deposit/provider-requests.js';
import { readDeposit } from '../../../store/payments/deposit/read.js';
import { storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { storeRefusal } from '../../../store/payments/insertion.js';
import type { EventStore } from '../../../store/payments/effects.js';
import { insertDecision } from '../../../store/rules/decisions.js';
import { counted } from '../counted.js';
import { actReader } from '../../staff-acts.js';
import type { DepositStore } from './ports.js';

/** `raise` stores an alert, unless one of its kind is open for the deposit. */
export function createDepositStore(store: EventStore, raise: DepositStore['raiseAlert']): DepositStore {
  const { database, sealer } = store;
  return counted<DepositStore>('deposit', {
    read: (deposit) => readDeposit(database, deposit),
    readAct: actReader(database, raise),
    insert: (input) => insertDeposit(database, sealer, input),
    permitCharge: (row, environment) => permitCharge(database, sealer, row, environment),
    permitReturn: (row, asked, environment) => permitReturn(database, row, asked, environment),
    readConclusion: (returnActId) => readConclusion(database, returnActId),
    store: (write) => storeDepositChange(store, write),
    refuse: (refusal) => storeRefusal(database, refusal),
    storeDecision: (decision) => insertDecision(database, decision),
    raiseAlert: raise,
    resolveAlerts: ({ id: objectId, at }, kind) => resolveAlerts(database, { kind, objectId, at }),
  });
}
