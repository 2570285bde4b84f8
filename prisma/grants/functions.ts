// Which roles may call which function.
import { API, COMMAND, PANEL, PAYMENTS, RULES, SETUP, WEBHOOKS, type FunctionGrant } from './grant.js';

/** Every function. A function that only triggers or other functions call needs no grant. */
export const FUNCTION_GRANTS: Readonly<Record<string, readonly FunctionGrant[]>> = {
  add_to_player_sums: [],
  alert_break_glass: [],
  alert_passkey: [],
  alert_role: [],
  append_audit: [
    {
      to: [...PAYMENTS, ...PANEL, ...COMMAND, ...SETUP],
      because: 'appends to the chain, which cannot be written otherwise',
    },
  ],
  audit_rule_set: [],
  authenticate_request: [{ to: API, because: 'writes nonces, buckets, alerts and the first use of keys' }],
  claim_idempotency_key: [{ to: API, because: 'reserves keys, and opens a recorded response to its own request' }],
  count_signature_failure: [],
  decided_by_two: [],
  erase_player: [{ to: COMMAND, because: '`player erase`: removes the hashes of a player' }],
  erase_sealed: [{ to: COMMAND, because: '`player erase`: replaces sealed values, only of erased players' }],
  enable_person: [{ to: COMMAND, because: 'lets a disabled person in again: triggers ask for a request of two' }],
  end_today: [],
  freeze_days: [
    {
      to: [...API, ...PAYMENTS, ...COMMAND],
      because: 'the nightly workflow, or the first read, freezes a closed day; nothing else writes one',
    },
  ],
  has_signed: [],
  is_being_installed: [],
  is_order_refused: [{ to: RULES, because: 'part of the statements that insert payments' }],
  keep_abuse_alert: [],
  keep_clock: [],
  keep_code: [],
  keep_confirmation: [],
  keep_deposit_payer: [],
  keep_engine_rules: [],
  keep_passkey: [],
  keep_person: [],
  keep_player_sums: [],
  keep_review_since: [],
  keep_role: [],
  keep_staff_act: [],
  keep_staff_handle: [],
  keep_first_admins: [],
  keep_suspense_item: [],
  keep_withdrawal_traits: [],
  lock_statements: [
    { to: [...PAYMENTS, ...PANEL, ...COMMAND], because: 'one comparison of a provider’s statements at a time' },
  ],
  note_alert: [],
  operation_time: [
    {
      to: [...API, ...RULES, ...WEBHOOKS, ...PANEL, ...COMMAND],
      because: 'the time of an operation, by its own clock in the sandbox',
    },
  ],
  people_close_to: [
    { to: [...PAYMENTS, ...PANEL, ...COMMAND], because: 'two people decide, and neither has made the other' },
  ],
  phase_of: [],
  refuse_change: [],
  refuse_change_except_resealing: [],
  refuse_order: [{ to: RULES, because: 'stores a refusal, unless the payment exists' }],
  refuse_reopening: [],
  reseal: [{ to: COMMAND, because: 'only reseals values: no role may otherwise write sealed values' }],
  settles: [],
  sweep_requests: [{ to: API, because: 'deletes rows past their retention' }],
  take_token: [{ to: [...PANEL, ...COMMAND], because: 'limits how often one person acts in a short time' }],
  with_day: [],
};
