// What each wait of a payment means, for the people who look at it: the operating guide and `gateway find` say it in
// these words.
import type { WaitingFor } from './search-attributes.js';

/** What each wait means and what to do when it lasts; total over `WAITING_FOR`. */
export const WAITS: Record<WaitingFor, string> = {
  nothing: 'It is over, or nobody has to act.',
  rules_decision: 'The rules engine is being asked. If it lasts: is a worker of the `rules` queue running?',
  provider_charge: 'The provider has not given a PIX yet. It is asked again by itself, with the same reference.',
  payment: 'The player has to pay. It expires by itself. A new deposit shows this until a worker has taken it up, too.',
  key_owner: 'DICT has not named the holder of the PIX key. It is asked again for five minutes, then people decide.',
  review: 'A person has to decide: `gateway review show ID`, then `approve`, `refuse` or `return`.',
  return_to_payer: 'The provider is returning a reviewed deposit. It is asked until it is done.',
  automatic_hours: 'It is approved and waits for the automatic hours of the rule set.',
  cash_box: 'It is approved, and the operation’s cash box is below zero. It goes on by itself once funded.',
  dispatch_check: 'Lists, cash box and operation are checked before sending. If it lasts, an alert says why.',
  payout_reply:
    'The one send has left (or could not leave yet). ' +
    'It is looked up until the outcome is known. Never send it by hand.',
  payout_result: 'The provider has the payout and has not finished it.',
  webhook_delivery: 'An event is on its way to the operator.',
  rule_change_proof:
    'The decisions of the last 30 days are being decided again under the proposed rules. ' +
    'Approvals are taken when that report is there; a rejection at any time.',
  approval:
    'Two different people have to approve a change of rules and the digest of its report: ' +
    '`gateway rules changes show ID`, then `approve ID --digest …` or `reject ID`.',
};
