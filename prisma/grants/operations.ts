// What the processes may do with the tables of operations and what is configured for them, in the order of the schema.
import {
  all,
  API,
  CERTIFICATES,
  COMMAND,
  INGRESS,
  only,
  PANEL,
  PAYMENTS,
  RULES,
  type TableGrants,
  WEBHOOKS,
} from './grant.js';

export const OPERATION_GRANTS: TableGrants = {
  operation: [
    {
      to: [...API, ...INGRESS, ...RULES, ...WEBHOOKS],
      select: all,
      because: 'name, environment, state and address; no secrets',
    },
    {
      to: API,
      update: ['outage', 'clock', 'clock_held_until'],
      in: 'sandbox',
      because: 'POST /sandbox/outage and /sandbox/clock',
    },
    {
      to: COMMAND,
      insert: true,
      update: ['status', 'webhook_url', 'provider', 'automatic_stopped_at'],
      because: 'creates, suspends and resumes operations, and sets addresses',
    },
    {
      to: PANEL,
      update: ['status', 'webhook_url', 'provider', 'automatic_stopped_at'],
      because: 'changes that a second person approves',
    },
  ],
  operation_counter: [
    {
      to: RULES,
      select: all,
      update: ['event_sequence', 'changed_at'],
      because: 'every change locks it, numbers its event and takes its time',
    },
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
    { to: [...PANEL, ...COMMAND], insert: true, update: ['expires_at'], because: 'rotates secrets' },
  ],
  allowed_network: [
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      delete: true,
      because: '`allowlist set` and its approval replace the list',
    },
  ],
  client_certificate: [
    { to: COMMAND, insert: true, update: ['revoked_at'], because: 'records and revokes' },
    {
      to: CERTIFICATES,
      select: only('serial', 'authority', 'not_after', 'revoked_at'),
      because: 'writes the list of revoked certificates',
    },
  ],
  approval_request: [
    {
      to: COMMAND,
      insert: true,
      update: ['status', 'decided_by', 'decided_at'],
      because: 'requests that a second person decides',
    },
    {
      to: PANEL,
      insert: true,
      update: ['status', 'decided_by', 'decided_at'],
      because: 'people request changes there, and decide other people’s requests',
    },
  ],
  account_owner: [
    { to: COMMAND, insert: true, because: '`operation create` and `operation set-provider`' },
    { to: PANEL, insert: true, because: 'changes that a second person approves' },
  ],
  provider_pause: [
    { to: RULES, select: all, because: 'no charge and no payout at a paused provider' },
    { to: COMMAND, insert: true, delete: true, because: 'pauses, and resumes in the sandbox' },
    { to: PANEL, delete: true, because: 'changes that a second person approves' },
  ],
  list_entry: [
    {
      to: [...API, ...RULES],
      select: only('operation_id', 'list', 'kind', 'value_hash', 'expires_at'),
      because: 'checks whether a hash is listed; the values stay sealed',
    },
    {
      to: PANEL,
      select: all,
      insert: true,
      delete: true,
      because: 'a block with a decision; shows the last characters of a value; an approval removes entries',
    },
    { to: COMMAND, insert: true, delete: true, because: '`list add` and `list remove`' },
  ],
};
