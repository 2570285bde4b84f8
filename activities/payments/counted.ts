// Counts committed transitions by the state they lead to, and adds the state to their span. A transition that was
// stored before is not counted again.
import { count } from '../../platform/telemetry/instruments.js';
import { annotateSpan } from '../../platform/telemetry/spans.js';

/** One transition was committed. */
export function countTransition(kind: 'deposit' | 'withdrawal', to: string): void {
  count('gateway_transitions_total', { kind, to });
  annotateSpan({ 'gateway.state': to });
}
