// Counts the transitions that the stores commit, and says in their span what they led to; one that is found stored already was
// counted then.
import { count } from '../platform/telemetry/instruments.js';
import { annotateSpan } from '../platform/telemetry/spans.js';
import type { DepositAdmissions, StoreActivities } from './types.js';

type Transitions = DepositAdmissions & Pick<StoreActivities, 'storeDeposit' | 'admitWithdrawal' | 'storeWithdrawal'>;

/** The same store; each transition that it commits is counted by the state it leads to. */
export function countedTransitions<Store extends Transitions>(store: Store): Store {
  const counted = (kind: 'deposit' | 'withdrawal', to: string) => {
    count('gateway_transitions_total', { kind, to });
    annotateSpan({ 'gateway.state': to });
  };
  const transitions: Transitions = {
    async admitDeposit(input) {
      const admission = await store.admitDeposit(input);
      if (admission.kind === 'admitted' && admission.found === null) counted('deposit', input.deposit.status);
      return admission;
    },
    async storeDeposit(input) {
      const outcome = await store.storeDeposit(input);
      if (outcome === 'stored' && input.fromVersion < input.deposit.version) counted('deposit', input.deposit.status);
      return outcome;
    },
    async admitWithdrawal(input) {
      const admission = await store.admitWithdrawal(input);
      if (admission.kind === 'admitted' && admission.found === null) counted('withdrawal', input.withdrawal.status);
      return admission;
    },
    async storeWithdrawal(input) {
      const outcome = await store.storeWithdrawal(input);
      if (outcome === 'stored' && input.fromVersion < input.withdrawal.version)
        counted('withdrawal', input.withdrawal.status);
      return outcome;
    },
  };
  return { ...store, ...transitions };
}
