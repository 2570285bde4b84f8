// The rows of withdrawals in PostgreSQL, with their transitions counted.
import { claimed, cleared } from '../../../domain/payments/withdrawal-record.js';
import { storeRefusal } from '../../../store/payments/insertion.js';
import type { EventStore } from '../../../store/payments/effects.js';
import { insertDecision } from '../../../store/rules/decisions.js';
import { readWithdrawal } from '../../../store/payments/withdrawal/read.js';
import { insertWithdrawal } from '../../../store/payments/withdrawal/insert.js';
import {
  claimPayoutSend,
  clearPayoutSend,
  countTracelessLookUp,
  givePermissionBack,
  isPayoutForbidden,
  noteUnfinishedLookUp,
} from '../../../store/payments/withdrawal/payout-sends.js';
import { storeWithdrawalChange } from '../../../store/payments/withdrawal/transition.js';
import { counted } from '../counted.js';
import { actReader } from '../../staff-acts.js';
import type { WithdrawalStore } from './ports.js';

/** `raise` stores an alert, unless one of its kind is open for the withdrawal. */
export function createWithdrawalStore(store: EventStore, raise: WithdrawalStore['raiseAlert']): WithdrawalStore {
  const { database, sealer } = store;
  return counted<WithdrawalStore>('withdrawal', {
    read: (withdrawal) => readWithdrawal(database, withdrawal),
    readAct: actReader(database, raise),
    insert: (input) => insertWithdrawal(store, input),
    store: (write) => storeWithdrawalChange(store, write),
    refuse: (refusal) => storeRefusal(database, refusal),
    storeDecision: (decision) => insertDecision(database, decision),
    raiseAlert: raise,
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
