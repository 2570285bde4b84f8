// What each role may do in the database: the one list, from which the SQL of a deployment (apply-grants.ts), the tables
// of docs/operating.md and the tests follow. What is not in it is refused.
import { type Role, withIncluded } from './roles.js';

/** Columns of a table: all, some, or all but some. */
export type Columns = 'all' | { readonly only: readonly string[] } | { readonly except: readonly string[] };

export interface TableGrant {
  readonly to: readonly Role[];
  readonly select?: Columns;
  readonly insert?: true;
  readonly update?: readonly string[];
  readonly delete?: true;
  /** In databases of this environment alone. */
  readonly in?: 'sandbox';
  readonly because: string;
}

const only = (...names: string[]): Columns => ({ only: names });
const except = (...names: string[]): Columns => ({ except: names });
const all = 'all';

const API: readonly Role[] = ['gateway_api'];
const INGRESS: readonly Role[] = ['gateway_ingress'];
/** Whoever stores payments: the payments workers include these. */
const RULES: readonly Role[] = ['gateway_rules'];
const PAYMENTS: readonly Role[] = ['gateway_payments'];
const WEBHOOKS: readonly Role[] = ['gateway_webhooks'];
const PANEL: readonly Role[] = ['gateway_panel'];
const COMMAND: readonly Role[] = ['gateway_command'];
/** Every process that seals or opens. */
const SEALING: readonly Role[] = [
  'gateway_api',
  'gateway_ingress',
  'gateway_rules',
  'gateway_webhooks',
  'gateway_panel',
];

/** What the command reads everywhere, and the panel and the reader everywhere but there. */
const SECRET_COLUMNS = /_sealed$|^token_hash$|^wrapped$|^hash_key$/;
export const READS: Readonly<Partial<Record<Role, 'everything' | 'everything but secrets'>>> = {
  gateway_command: 'everything',
  gateway_panel: 'everything but secrets',
  gateway_reader: 'everything but secrets',
};

/** Every table, in the order of the schema. One without a line is read by the command and the reader alone. */
export const TABLE_GRANTS: Readonly<Record<string, readonly TableGrant[]>> = {
  operation: [
    {
      to: [...API, ...INGRESS, ...RULES, ...WEBHOOKS],
      select: all,
      because: 'name, environment, state and address; no secrets',
    },
    { to: API, update: ['outage'], in: 'sandbox', because: 'POST /sandbox/outage' },
    {
      to: COMMAND,
      insert: true,
      update: ['status', 'webhook_url', 'provider', 'automatic_stopped_at'],
      because: 'creating, suspending, resuming, addressing',
    },
    {
      to: PANEL,
      update: ['status', 'webhook_url', 'provider', 'automatic_stopped_at'],
      because: 'what a second person approves',
    },
  ],
  operation_counter: [
    { to: RULES, select: all, update: ['event_sequence'], because: 'every transition locks it and numbers its event' },
    {
      to: COMMAND,
      insert: true,
      update: ['event_sequence'],
      because: 'a new operation; `rules set` publishes an event',
    },
    { to: PANEL, update: ['event_sequence'], because: 'the approval of a cash movement locks it' },
  ],
  api_key: [
    { to: API, select: only('key_id', 'operation_id', 'secret_sealed'), because: 'verifies signatures' },
    {
      to: PAYMENTS,
      select: only('key_id', 'operation_id', 'created_at', 'expires_at', 'revoked_at'),
      because: 'alerts on old keys, without reading them',
    },
    { to: [...PANEL, ...COMMAND], insert: true, update: ['revoked_at'], because: 'creates and revokes keys' },
  ],
  webhook_secret: [
    { to: [...API, ...WEBHOOKS], select: all, because: 'signs reconciliation days, and webhooks' },
    {
      to: PAYMENTS,
      select: only('id', 'operation_id', 'created_at', 'expires_at'),
      because: 'alerts on old secrets, without reading them',
    },
    { to: COMMAND, insert: true, update: ['expires_at'], because: 'rotates secrets' },
  ],
  allowed_network: [
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      delete: true,
      because: '`allowlist set` and its approval replace the list',
    },
  ],
  client_certificate: [{ to: COMMAND, insert: true, update: ['revoked_at'], because: 'issues and revokes' }],
  approval_request: [
    {
      to: COMMAND,
      insert: true,
      update: ['status', 'decided_by', 'decided_at'],
      because: 'what a second person decides',
    },
    {
      to: PANEL,
      insert: true,
      update: ['status', 'decided_by', 'decided_at'],
      because: 'people ask there, and decide what others asked for',
    },
  ],
  account_owner: [
    { to: COMMAND, insert: true, because: '`operation create` and `operation set-provider`' },
    { to: PANEL, insert: true, because: 'what a second person approves' },
  ],
  provider_pause: [
    { to: RULES, select: all, because: 'no charge and no payout at a paused provider' },
    { to: COMMAND, insert: true, delete: true, because: 'pauses, and resumes in the sandbox' },
    { to: PANEL, delete: true, because: 'what a second person approves' },
  ],
  list_entry: [
    {
      to: [...API, ...RULES],
      select: only('operation_id', 'list', 'kind', 'value_hash'),
      because: 'asks whether a hash is listed; the values stay sealed',
    },
    { to: PANEL, select: all, delete: true, because: 'shows the last characters of a value; an approval removes' },
    { to: COMMAND, insert: true, delete: true, because: '`list add` and `list remove`' },
  ],
  rule_set_version: [
    { to: [...API, ...RULES], select: all, because: 'the rules in force' },
    { to: PAYMENTS, insert: true, because: 'puts an approved change in force' },
    { to: COMMAND, insert: true, update: ['engine'], because: '`rules set`' },
  ],
  rule_change_request: [
    { to: API, select: only('id', 'operation_id'), insert: true, because: 'an operator proposes a change' },
    {
      to: PAYMENTS,
      select: all,
      update: [
        'status',
        'decisions',
        'decided_by',
        'decided_at',
        'applied_version',
        'proof',
        'proof_digest',
        'proof_number',
      ],
      because: 'its workflow stores proof, decisions and result, never another proposal',
    },
    { to: COMMAND, insert: true, because: 'staff propose a change' },
  ],
  decision: [{ to: RULES, select: all, insert: true, because: 'a book: every decision with its facts' }],
  automatic_use: [
    {
      to: RULES,
      select: all,
      insert: true,
      update: ['hour', 'hour_minor', 'day', 'day_minor'],
      because: 'the cap of automatic payouts, under its lock',
    },
  ],
  player: [
    { to: API, select: except('document_sealed'), because: 'whether a player is known and blocked' },
    {
      to: RULES,
      select: except('document_sealed'),
      insert: true,
      update: ['revision'],
      because: 'a first payment fixes the document; none changes it',
    },
    { to: PAYMENTS, update: ['histories_erased_at'], because: 'notes whose histories it deleted from Temporal' },
  ],
  player_sum: [{ to: [...API, ...RULES], select: all, because: 'sums that triggers keep, and nobody else' }],
  player_trait: [{ to: RULES, select: all, because: 'what triggers saw in payments' }],
  deposit: [
    {
      to: INGRESS,
      select: only('id', 'operation_id', 'external_id', 'status', 'amount_minor', 'provider', 'end_to_end_id'),
      because: 'whose payment a callback names',
    },
    { to: API, select: except('request_sealed', 'payer_document_hash'), because: 'serves deposits with their payer' },
    { to: PANEL, select: all, because: 'people compare player and payer' },
    {
      to: RULES,
      select: all,
      insert: true,
      update: [
        'status',
        'version',
        'revision',
        'paid_amount_minor',
        'payer_sealed',
        'payer_document_hash',
        'copy_paste',
        'qr_code_png_base64',
        'instructions_expires_at',
        'end_to_end_id',
        'failure_code',
        'review_reasons',
        'decided_by',
        'return_request',
        'extra_payments',
        'fees',
        'reversed_minor',
        'late_payment',
        'contract',
        'updated_at',
        'paid_at',
        'expires_at',
      ],
      because: 'steps store transitions; amount, player, operation and request are fixed with the row',
    },
  ],
  withdrawal: [
    {
      to: INGRESS,
      select: only('id', 'operation_id', 'external_id', 'status', 'amount_minor', 'provider', 'psp_reference'),
      because: 'whose payment a callback names',
    },
    {
      to: API,
      select: except('destination_hash', 'device_hash'),
      because: 'serves withdrawals; the request has the operator’s reasons',
    },
    { to: PANEL, select: all, because: 'people judge the request: reasons, player and key' },
    {
      to: RULES,
      select: all,
      insert: true,
      update: [
        'status',
        'version',
        'revision',
        'fee_minor',
        'key_owner',
        'lookup_end_to_end_id',
        'judgement',
        'decision_mode',
        'decision_reasons',
        'rule_set_version',
        'decided_by',
        'decided_at',
        'psp_reference',
        'failure_code',
        'contract',
        'updated_at',
        'paid_at',
        'write_offs',
      ],
      because: 'steps store transitions; amount, destination, player and request are fixed with the row',
    },
  ],
  payout_send: [
    {
      to: RULES,
      select: all,
      insert: true,
      update: [
        'state',
        'cleared_at',
        'attempt',
        'claimed_at',
        'traceless_look_ups',
        'traceless_since',
        'traceless_last_at',
      ],
      because: 'clears, takes and keeps the one permission to send; its reference is fixed',
    },
  ],
  provider_callback: [
    {
      to: INGRESS,
      select: except('body_sealed'),
      insert: true,
      update: ['repetitions', 'passed_on_at'],
      because: 'keeps each callback once; never reads one back',
    },
    { to: PAYMENTS, select: only('id', 'received_at'), delete: true, because: 'deletes what is past its retention' },
  ],
  account_sweep: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['through', 'swept_at', 'reading_from', 'reading_to', 'cursor'],
      because: 'how far the lists of accounts were read',
    },
  ],
  unexplained_receipt: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['returns', 'settled_at'],
      because: 'what those lists have and the books did not',
    },
  ],
  unexplained_payout: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['returns', 'explained_at'],
      because: 'payouts and returns that those lists have and the books do not show',
    },
  ],
  dispute: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['deposit_id', 'operation_id', 'amount_minor', 'status', 'reason', 'due_at', 'changed_at'],
      because: 'disputed payments in their present states',
    },
    { to: PANEL, select: all, because: 'shows disputed payments' },
  ],
  return_id: [
    { to: RULES, insert: true, because: 'ids of returns that providers report' },
    { to: PAYMENTS, select: only('return_id'), because: 'tells the returns of deposits from those of payouts' },
  ],
  alert: [
    { to: [...INGRESS, ...WEBHOOKS], insert: true, because: 'raises alerts' },
    { to: COMMAND, insert: true, because: 'tells of a statement that differs from the books' },
    {
      to: RULES,
      select: all,
      insert: true,
      update: ['resolved_at'],
      because: 'raises alerts, and resolves what a transition ends',
    },
    {
      to: [...PANEL, ...COMMAND],
      update: ['assigned_to', 'resolved_at', 'resolved_by', 'resolution'],
      because: 'people look after alerts and resolve them',
    },
  ],
  review_claim: [
    {
      to: PANEL,
      insert: true,
      update: ['staff_handle', 'expires_at'],
      delete: true,
      because: 'who looks at a case now',
    },
  ],
  event: [
    { to: [...API, ...WEBHOOKS], select: all, because: 'serves and delivers events' },
    {
      to: RULES,
      select: except('body_sealed'),
      insert: true,
      because: 'a book: every transition publishes; bodies are not read back',
    },
    { to: COMMAND, insert: true, because: '`rules set` publishes rules.updated' },
  ],
  webhook_delivery: [
    { to: WEBHOOKS, select: all, insert: true, because: 'the log of attempts' },
    { to: RULES, select: only('event_id'), because: 'whether somebody tried to deliver an event' },
    { to: API, select: all, in: 'sandbox', because: 'GET /sandbox/webhooks' },
  ],
  ledger_account: [
    { to: API, select: all, because: 'serves balances' },
    { to: RULES, select: all, insert: true, update: ['balance_minor'], because: 'balances move with their entries' },
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      update: ['balance_minor'],
      because: 'a new operation has its accounts; cash movements move balances',
    },
  ],
  ledger_entry: [
    { to: API, select: all, because: 'freezes a day that is asked for' },
    { to: RULES, select: all, insert: true, because: 'a book: both sides of every movement' },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'both sides of a cash movement' },
  ],
  statement_line: [{ to: COMMAND, insert: true, because: 'a book: `statement import`' }],
  statement_day: [{ to: COMMAND, insert: true, because: 'a book: what each comparison came to' }],
  cash_movement: [
    { to: RULES, select: all, because: 'the nightly check compares each with its entries' },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'a book: what people moved, written with its ledger entries' },
  ],
  reconciliation_day: [
    {
      to: [...API, ...PAYMENTS, ...COMMAND],
      select: all,
      insert: true,
      because: 'a book: closed days are frozen by whoever asks first',
    },
  ],
  reconciliation_item: [
    { to: [...API, ...PAYMENTS, ...COMMAND], select: all, insert: true, because: 'a book: the items of frozen days' },
  ],
  idempotency_key: [
    {
      to: API,
      select: only('operation_id', 'key', 'token', 'state'),
      update: ['state', 'response_status', 'response_content_type', 'response_headers', 'response_sealed'],
      because: 'records a response; claiming and replaying go through a function',
    },
  ],
  nonce: [],
  rate_bucket: [
    {
      to: PANEL,
      insert: true,
      update: ['theoretical_arrival_time'],
      because: 'how often a person reveals and searches',
    },
  ],
  signature_failures: [],
  player_hit: [{ to: API, select: all, delete: true, because: 'takes back the hit of a request that was refused' }],
  self_check: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['name', 'ran_at', 'succeeded_at', 'problems', 'figures'],
      because: 'what the nightly checks found',
    },
  ],
  staff: [
    {
      to: API,
      select: only('handle', 'handle_folded'),
      insert: true,
      in: 'sandbox',
      because: 'a tester decides reviews under a claimed name',
    },
    {
      to: PAYMENTS,
      select: only('handle', 'disabled_at'),
      because: 'checks who acts, in the statement that does the act',
    },
    {
      to: COMMAND,
      insert: true,
      update: ['disabled_at', 'oidc_issuer', 'oidc_subject'],
      because: 'creates and disables people, and says whom the identity provider signs in',
    },
    { to: PANEL, update: ['disabled_at'], because: 'an admin disables people; it makes none' },
  ],
  staff_role: [
    { to: API, insert: true, in: 'sandbox', because: 'a tester has every role' },
    { to: PAYMENTS, select: all, because: 'checks who acts' },
    { to: COMMAND, insert: true, delete: true, because: 'grants and withdraws roles' },
    { to: PANEL, delete: true, because: 'an admin takes roles away; it gives none' },
  ],
  staff_session: [
    {
      to: PAYMENTS,
      select: only('id', 'staff_handle', 'revoked_at', 'means', 'created_at'),
      because: 'checks who acts, without the token’s hash',
    },
    { to: PANEL, select: all, because: 'knows a session by the hash of its token' },
    { to: [...PANEL, ...COMMAND], insert: true, update: ['last_seen_at', 'revoked_at'], because: 'signing in and out' },
  ],
  staff_sign_in_link: [
    { to: PANEL, select: all, update: ['used_at'], because: 'begins a session with a link, once' },
    { to: COMMAND, insert: true, update: ['used_at'], delete: true, because: 'codes that start a session' },
  ],
  staff_passkey: [
    {
      to: PAYMENTS,
      select: only('id', 'staff_handle', 'public_key', 'created_at', 'removed_at'),
      because: 'verifies what people signed, when it is done and every night',
    },
    {
      to: PANEL,
      select: all,
      insert: true,
      update: ['counter', 'last_used_at', 'removed_at', 'removed_by'],
      because: 'people sign in and sign acts',
    },
    {
      to: COMMAND,
      select: all,
      update: ['removed_at', 'removed_by'],
      because: 'an admin removes the passkeys of a lost device',
    },
  ],
  staff_challenge: [
    {
      to: PANEL,
      select: all,
      insert: true,
      update: ['used_at'],
      delete: true,
      because: 'what an authenticator or an identity provider must answer, for minutes',
    },
  ],
  staff_act: [
    { to: API, insert: true, in: 'sandbox', because: 'a tester decides reviews' },
    { to: PAYMENTS, select: all, update: ['consumed_at', 'outcome'], because: 'uses an act up; never makes one' },
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      update: ['consumed_at', 'outcome'],
      because: 'stores what a person asks for',
    },
  ],
  audit_entry: [{ to: PAYMENTS, select: all, because: 'checks the chain; entries are appended by a function' }],
  audit_seal: [
    { to: PAYMENTS, select: all, insert: true, because: 'a book: seals of the chain, made with a key outside' },
  ],
  data_key: [
    { to: SEALING, select: all, because: 'wrapped keys, which the vault opens' },
    { to: COMMAND, insert: true, update: ['wrapped', 'retired_at'], because: 'makes, wraps anew and retires keys' },
  ],
  sealing_key_use: [
    { to: SEALING, select: all, insert: true, update: ['last_used_at'], because: 'notes which key it seals with' },
  ],
};

export interface FunctionGrant {
  readonly to: readonly Role[];
  readonly because: string;
}

/** Every function. One that only triggers or other functions call needs no grant. */
export const FUNCTION_GRANTS: Readonly<Record<string, readonly FunctionGrant[]>> = {
  add_to_player_sums: [],
  alert_break_glass: [],
  alert_passkey: [],
  append_audit: [
    { to: [...PAYMENTS, ...PANEL, ...COMMAND], because: 'appends to the chain, which nobody writes otherwise' },
  ],
  audit_rule_set: [],
  authenticate_request: [{ to: API, because: 'writes nonces, buckets, alerts and the first use of keys' }],
  claim_idempotency_key: [{ to: API, because: 'reserves keys, and opens a recorded response to its own request' }],
  count_signature_failure: [],
  erase_player: [{ to: COMMAND, because: '`player erase`: takes a person out of the hashes of a player' }],
  erase_sealed: [{ to: COMMAND, because: '`player erase`: replaces what is sealed, of erased players only' }],
  keep_deposit_payer: [],
  keep_engine_rules: [],
  keep_passkey_alert: [],
  keep_player_sums: [],
  keep_review_since: [],
  keep_staff_act: [],
  keep_staff_handle: [],
  keep_withdrawal_traits: [],
  phase_of: [],
  refuse_change: [],
  refuse_change_except_resealing: [],
  reseal: [{ to: COMMAND, because: 'changes seals and nothing else: no role may write what is sealed otherwise' }],
  sweep_requests: [{ to: API, because: 'deletes what is past its retention' }],
  take_token: [{ to: PANEL, because: 'limits what one person does in a short time' }],
  with_day: [],
};

export type Environment = 'sandbox' | 'production';

/** What a role may do to a table, the roles that it includes counted. Names of columns; `all` for every one. */
export interface TableRights {
  readonly select: 'all' | readonly string[];
  readonly insert: boolean;
  readonly update: readonly string[];
  readonly delete: boolean;
}

/** The rights of a role on a table with these columns. */
export function rightsOn(table: string, columns: readonly string[], role: Role, environment: Environment): TableRights {
  const roles = withIncluded(role);
  const lines = (TABLE_GRANTS[table] ?? []).filter(
    (line) => (line.in ?? environment) === environment && line.to.some((one) => roles.includes(one)),
  );
  const selected = new Set(
    [table in TABLE_GRANTS ? readsOf(role) : undefined, ...lines.map(({ select }) => select)].flatMap((chosen) =>
      namesOf(chosen, columns),
    ),
  );
  const updated = new Set(lines.flatMap(({ update = [] }) => update));
  return {
    select: columns.every((column) => selected.has(column)) ? 'all' : columns.filter((column) => selected.has(column)),
    insert: lines.some(({ insert }) => insert === true),
    update: columns.filter((column) => updated.has(column)),
    delete: lines.some((line) => line.delete === true),
  };
}

/** Names of columns that a line mentions, and that the table must have. */
export function mentioned({ select, update = [] }: TableGrant): readonly string[] {
  if (select === undefined || select === 'all') return update;
  return [...update, ...('only' in select ? select.only : select.except)];
}

export function mayExecute(name: string, role: Role): boolean {
  const roles = withIncluded(role);
  return (FUNCTION_GRANTS[name] ?? []).some(({ to }) => to.some((one) => roles.includes(one)));
}

function readsOf(role: Role): Columns | 'all but secrets' | undefined {
  const reads = READS[role];
  if (reads === undefined) return undefined;
  return reads === 'everything' ? 'all' : 'all but secrets';
}

function namesOf(chosen: Columns | 'all but secrets' | undefined, columns: readonly string[]): readonly string[] {
  if (chosen === undefined) return [];
  if (chosen === 'all') return columns;
  if (chosen === 'all but secrets') return columns.filter((column) => !SECRET_COLUMNS.test(column));
  return 'only' in chosen ? chosen.only : columns.filter((column) => !chosen.except.includes(column));
}
