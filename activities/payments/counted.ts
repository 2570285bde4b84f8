// Counts committed transitions by the state they lead to, and adds the state to their span. What an earlier attempt
// stored was counted when it was stored.
import { count } from '../../platform/telemetry/instruments.js';
import { annotateSpan } from '../../platform/telemetry/spans.js';
import type { PaymentWrite } from '../../store/payments/effects.js';

interface InState {
  readonly record: { readonly snapshot: { readonly status: string } };
}

/** What stores the transitions of one kind of payment, whatever else it is given. */
interface Rows {
  insert(input: never): Promise<{ readonly kind: string }>;
  store(write: never): Promise<InState | null>;
}

/** The same rows, with each transition counted. */
export function counted<Store extends Rows>(kind: 'deposit' | 'withdrawal', rows: Store): Store {
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
