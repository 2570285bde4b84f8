// The rules that are evaluated just before an approved withdrawal is sent. The first hit decides.
import { isWithinHours } from './local-time.js';
import { finding, type Rule, RULE_OFF } from './rule.js';

export interface DispatchFacts {
  readonly at: string;
  readonly playerBlocked: boolean;
  readonly documentBlocked: boolean;
  readonly destinationBlocked: boolean;
  readonly operationSuspended: boolean;
  /** It was decided automatically, and a person has stopped the operation's automatic withdrawals since. */
  readonly automaticStopped: boolean;
  /** A person has paused the provider that it goes through. */
  readonly providerPaused: boolean;
  /** What the account that pays it holds of the cash box, without the money reserved for this withdrawal. */
  readonly availableMinor: bigint;
}

export type DispatchConsequence =
  | 'blocked'
  | 'operation_suspended'
  | 'provider_paused'
  | 'automatic_hours'
  | 'cash_box';

export const DISPATCH_RULES: readonly Rule<DispatchFacts, 'dispatch', DispatchConsequence>[] = [
  {
    code: 'BLOCKLIST_HIT_AT_DISPATCH',
    consequence: 'blocked',
    stages: ['dispatch'],
    evaluate: ({ playerBlocked, documentBlocked, destinationBlocked }) =>
      finding(playerBlocked || documentBlocked || destinationBlocked, {
        playerBlocked,
        documentBlocked,
        destinationBlocked,
      }),
  },
  {
    code: 'OPERATION_SUSPENDED',
    consequence: 'operation_suspended',
    stages: ['dispatch'],
    evaluate: ({ operationSuspended }) => finding(operationSuspended, { operationSuspended }),
  },
  {
    code: 'OPERATION_AUTO_SUSPENDED',
    consequence: 'operation_suspended',
    stages: ['dispatch'],
    evaluate: ({ automaticStopped }) => finding(automaticStopped, { automaticStopped }),
  },
  {
    code: 'PROVIDER_PAUSED',
    consequence: 'provider_paused',
    stages: ['dispatch'],
    evaluate: ({ providerPaused }) => finding(providerPaused, { providerPaused }),
  },
  {
    code: 'OUTSIDE_AUTO_HOURS',
    consequence: 'automatic_hours',
    stages: ['dispatch'],
    evaluate: ({ at }, { autoHours, timezone }) =>
      autoHours === null
        ? RULE_OFF
        : finding(!isWithinHours(new Date(at), timezone, autoHours), { at, timezone, ...autoHours }),
  },
  {
    // Below zero, the reserved money is no longer covered.
    code: 'INSUFFICIENT_OPERATION_BALANCE',
    consequence: 'cash_box',
    stages: ['dispatch'],
    evaluate: ({ availableMinor }) => finding(availableMinor < 0n, { availableMinor }),
  },
];
