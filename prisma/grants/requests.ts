// What the processes may do with the tables of requests to the api, in the order of the schema.
import { all, API, COMMAND, only, PANEL, PAYMENTS, type TableGrants } from './grant.js';

export const REQUEST_GRANTS: TableGrants = {
  idempotency_key: [
    {
      to: API,
      select: only('operation_id', 'key', 'token', 'state'),
      update: ['state', 'response_status', 'response_content_type', 'response_headers', 'response_sealed'],
      because: 'records a response; claiming and replaying go through a function',
    },
    {
      to: PAYMENTS,
      select: only('operation_id', 'object_id', 'state', 'created_at'),
      because: 'finds orders that got no answer and have no row',
    },
  ],
  nonce: [],
  rate_bucket: [
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      update: ['theoretical_arrival_time'],
      because: 'counts how often a person signs in, reveals, searches and runs commands',
    },
  ],
  signature_failures: [],
  request_log: [
    { to: API, select: all, insert: true, because: 'writes and serves the log of an operation’s own calls' },
    { to: PANEL, select: all, because: 'shows an operator’s people that log' },
  ],
  player_hit: [{ to: API, select: all, delete: true, because: 'removes the hit of a refused request' }],
  self_check: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['ran_at', 'succeeded_at', 'problems', 'figures'],
      because: 'results of the checks, which it makes',
    },
  ],
};
