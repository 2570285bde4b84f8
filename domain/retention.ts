// What is kept, why and how long: one row for each kind of data, and every table of the database in exactly one of
// them. docs/retention.md is generated from it, and tests use it. The operator must confirm the years that the law
// requires: the operator is the controller of the players' data, the gateway the processor.

export interface RetentionRule {
  /** The kind of data, in words for people. */
  readonly data: string;
  readonly tables: readonly string[];
  /** Whether something in it identifies a player. */
  readonly personal: 'none' | 'reference' | 'sealed';
  readonly why: string;
  readonly howLong: string;
  /** What an erasure of the player does with it. */
  readonly erasure: string;
}

const UNTOUCHED = 'nothing: it names no player';

export const RETENTION: readonly RetentionRule[] = [
  {
    data: 'payments and their progress',
    tables: [
      'deposit',
      'withdrawal',
      'payout_send',
      'return_id',
      'automatic_use',
      'suspense_item',
      'unexplained_receipt',
      'unexplained_payout',
      'dispute',
    ],
    personal: 'sealed',
    why: 'contract with the operator; proof of a payment and rules on money laundering (Law 9.613/1998, art. 10)',
    howLong: 'at least 5 years after the payment; not deleted by the gateway',
    erasure: 'the payment stays; request, payer, key, address and device are replaced, their hashes made random',
  },
  {
    data: 'events, as delivered to the operator',
    tables: ['event', 'event_outbox', 'webhook_delivery'],
    personal: 'sealed',
    why: 'the operator replays them; otherwise append-only',
    howLong: 'as long as the payment',
    erasure: 'payer and the operator’s free text are removed from the bodies',
  },
  {
    data: 'ledger and frozen days',
    tables: [
      'ledger_account',
      'ledger_entry',
      'bank_movement',
      'suspense_entry',
      'cash_movement',
      'reconciliation_day',
      'reconciliation_item',
      'statement_line',
      'statement_day',
      'statement_removal',
      'statement_item',
      'statement_resolution',
      'account_balance',
      'return_conclusion',
      'item_return',
    ],
    personal: 'none',
    why: 'accounting (Civil Code, art. 1.194)',
    howLong: 'at least 5 years; not deleted by the gateway',
    erasure: UNTOUCHED,
  },
  {
    data: 'decisions of the rules',
    tables: ['decision', 'rule_set_version', 'rule_change_request'],
    personal: 'none',
    why: 'a decision can be explained and replayed (LGPD, art. 20)',
    howLong: 'as long as the payment',
    erasure: UNTOUCHED,
  },
  {
    data: 'the player, and traits seen in the player’s payments',
    tables: ['player', 'player_trait', 'player_sum', 'player_hit'],
    personal: 'sealed',
    why: 'limits and fraud prevention (LGPD, art. 7, IX)',
    howLong: 'as long as the operator serves the player; counts of requests for an hour',
    erasure:
      'document replaced, traits deleted; sums stay under the operator’s reference, which accepts no further payment',
  },
  {
    data: 'block and review lists',
    tables: ['list_entry'],
    personal: 'sealed',
    why: 'fraud prevention (LGPD, art. 7, IX); an erasure must not lift a block',
    howLong: 'until staff remove an entry (two people for a block list)',
    erasure: 'an entry stays; the person who erases decides whether to `list remove` it',
  },
  {
    data: 'callbacks of providers',
    tables: ['provider_callback'],
    personal: 'sealed',
    why: 'evidence in a dispute about what a provider reported',
    howLong: '30 days, then deleted by the daily housekeeping',
    erasure: 'nothing at once; deleted within the 30 days',
  },
  {
    data: 'requests to providers, for the timeline of a payment',
    tables: ['provider_exchange'],
    personal: 'none',
    why: 'people see what was asked and what came back; templates of paths and statuses, no bodies, no queries',
    howLong: '30 days, then deleted by the api',
    erasure: UNTOUCHED,
  },
  {
    data: 'recorded answers to requests, and orders that were refused',
    tables: ['idempotency_key', 'refused_order'],
    personal: 'sealed',
    why: 'a repeated request gets the same answer (specification, "Idempotency")',
    howLong: '30 days, then deleted by the api',
    erasure: 'payer and the operator’s free text are removed',
  },
  {
    data: 'the operators’ own calls, for their programmers',
    tables: ['request_log'],
    personal: 'none',
    why: 'they see what was signed and why it was refused; templates of paths, no bodies, no queries',
    howLong: '3 days, then deleted by the api; a crash of the database empties it',
    erasure: UNTOUCHED,
  },
  {
    data: 'nonces, challenges and rates of requests',
    tables: ['nonce', 'rate_bucket', 'signature_failures', 'staff_challenge'],
    personal: 'none',
    why: 'protection of the API',
    howLong: '16 minutes at most',
    erasure: UNTOUCHED,
  },
  {
    data: 'operators and their access',
    tables: [
      'operation',
      'operation_counter',
      'api_key',
      'webhook_secret',
      'allowed_network',
      'client_certificate',
      'approval_request',
      'account_owner',
      'provider_pause',
    ],
    personal: 'none',
    why: 'contract with the operator',
    howLong: 'as long as the contract and the proof of who granted access',
    erasure: UNTOUCHED,
  },
  {
    data: 'staff, their acts, and the audit trail',
    tables: [
      'staff',
      'staff_role',
      'staff_session',
      'staff_sign_in_link',
      'staff_passkey',
      'staff_policy',
      'staff_act',
      'audit_entry',
      'audit_seal',
      'named_lock',
      'review_claim',
      'case_work',
      'case_note',
    ],
    personal: 'reference',
    why: 'proof of who approved what; a chain that is sealed outside the database',
    howLong: 'at least 5 years; handles, not legal names',
    erasure: 'the erasure itself is an entry with the operator’s reference',
  },
  {
    data: 'alerts and checks',
    tables: ['alert', 'alert_notice', 'self_check', 'account_sweep'],
    personal: 'none',
    why: 'operation of the service',
    howLong: 'as long as the payment they concern',
    erasure: UNTOUCHED,
  },
  {
    data: 'sealing keys',
    tables: ['data_key', 'sealing_key_use'],
    personal: 'none',
    why: 'to open sealed values',
    howLong: 'until two people retire a key that no longer seals anything',
    erasure: UNTOUCHED,
  },
];

/** Data outside the database. */
export const RETENTION_ELSEWHERE: readonly Omit<RetentionRule, 'tables' | 'personal'>[] = [
  {
    data: 'histories of workflows in Temporal, with sealed requests',
    why: 'staff see what a payment waits for, and why',
    howLong: 'the namespace’s retention after a payment’s end (`temporal prepare --retention-hours`, 72 by default)',
    erasure: 'deleted by the next daily housekeeping',
  },
  {
    data: 'backups of PostgreSQL',
    why: 'recovery',
    howLong: 'set it to 35 days or less',
    erasure: 'they expire; after a restore, repeat `player erase` for every erasure in the audit trail’s export since',
  },
  {
    data: 'logs, metrics and traces',
    why: 'operation of the service',
    howLong: 'as configured in the deployment',
    erasure: 'nothing: they hold no personal data',
  },
];
