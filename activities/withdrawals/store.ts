// Withdrawals in PostgreSQL, with their transitions counted.
import { claimed, cleared } from '../../domain/withdrawal-record.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';
import { storeRefusal } from '../../store/payments/refused-orders.js';
import type { EventStore } from '../../store/payments/effects.js';
import { insertDecision } from '../../store/rules/decisions.js';
import { readWithdrawal } from '../../store/withdrawals/held.js';
import { insertWithdrawal } from '../../store/withdrawals/insert.js';
import {
  claimPayoutSend,
  clearPayoutSend,
  countTracelessLookUp,
  givePermissionBack,
  isPayoutForbidden,
  noteUnfinishedLookUp,
} from '../../store/withdrawals/payout-sends.js';
import { storeWithdrawalChange } from '../../store/withdrawals/transition.js';
import { countTransition } from '../payments/counted.js';
import { actReader } from '../staff-acts.js';
import type { WithdrawalStore } from './ports.js';

export function createWithdrawalStore(
  store: EventStore,
  raiseAlert: (alert: GatewayAlert) => Promise<void>,
): WithdrawalStore {
  const { database, sealer } = store;
  return {
    readAct: actReader(database, raiseAlert),
    read: (ref) => readWithdrawal(database, ref),
    async insert(input) {
      const inserted = await insertWithdrawal(store, input);
      if (inserted.kind === 'inserted') countTransition('withdrawal', input.record.snapshot.status);
      return inserted;
    },
    refuse: (refusal) => storeRefusal(database, refusal),
    async store(write) {
      const stored = await storeWithdrawalChange(store, write);
      if (stored.kind === 'stored' && write.change.trigger !== null)
        countTransition('withdrawal', stored.held.record.snapshot.status);
      return stored;
    },
    storeDecision: (decision) => insertDecision(database, decision),
    async clear(held, decision) {
      const isCleared = await clearPayoutSend(database, held, decision);
      return isCleared ? { ...held, record: cleared(held.record) } : null;
    },
    async claim(held, attempt) {
      const permission = await claimPayoutSend(database, sealer, held, attempt);
      return permission === 'given' ? { ...held, record: claimed(held.record, attempt.attempt) } : permission;
    },
    giveBack: (held, attempt) => givePermissionBack(database, held, attempt),
    countTraceless: (held, lookUp) => countTracelessLookUp(database, held, lookUp),
    isForbidden: (held) => isPayoutForbidden(database, held),
    noteUnfinished: (held) => noteUnfinishedLookUp(database, held),
    raiseAlert,
  };
}
