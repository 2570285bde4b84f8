// Counts committed transitions by the state they lead to, and adds the state to their span. A transition that is found
// stored already was counted when it was stored.
import { count } from '../../platform/telemetry/instruments.js';
import { annotateSpan } from '../../platform/telemetry/spans.js';
import type { StoreActivities } from './types.js';

type Transitions = Pick<StoreActivities, 'admitWithdrawal' | 'storeWithdrawal'>;

/** The same store with its transitions counted. */
export function countedTransitions<Store extends Transitions>(store: Store): Store {
  const counted = (kind: 'withdrawal', to: string) => {
    count('gateway_transitions_total', { kind, to });
    annotateSpan({ 'gateway.state': to });
  };
  const transitions: Transitions = {
    async admitWithdrawal(input) {
      const insertion = await store.admitWithdrawal(input);
      if (insertion.kind === 'admitted' && insertion.found === null) counted('withdrawal', input.withdrawal.status);
      return insertion;
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
