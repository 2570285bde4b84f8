// Which inconclusive outcomes are drift: something that the provider's documentation does not describe.
import type { Drift } from '../common/drift.js';

const DRIFT_OF_REASON: Readonly<Record<string, Drift>> = {
  unreadable_answer: 'unreadable_answer',
  unreadable_list: 'unreadable_answer',
  charge_without_a_code: 'unreadable_answer',
  unknown_charge_status: 'unknown_state',
  unknown_reversal: 'unknown_state',
  unknown_payout_state: 'unknown_state',
  unknown_return_state: 'unknown_state',
  failed_without_a_code: 'unknown_state',
  failure_not_final: 'unknown_error',
  // A refusal that no list makes final. (Duplicates are 409.)
  http_400: 'unknown_error',
  http_422: 'unknown_error',
};

/** `null` for ordinary faults: lost answers, load, a provider that is down. */
export function driftOf(reason: string): Drift | null {
  return Object.hasOwn(DRIFT_OF_REASON, reason) ? DRIFT_OF_REASON[reason]! : null;
}
