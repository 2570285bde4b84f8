// What the processes may do with the tables of staff, in the order of the schema.
import { all, API, COMMAND, only, PANEL, PAYMENTS, type TableGrants } from './grant.js';

export const STAFF_GRANTS: TableGrants = {
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
      because: 'creates and disables people, and sets whom the identity provider signs in',
    },
    { to: PANEL, update: ['disabled_at'], because: 'an admin disables people, and creates none' },
  ],
  staff_role: [
    { to: API, insert: true, in: 'sandbox', because: 'a tester has every role' },
    { to: PAYMENTS, select: all, because: 'checks who acts' },
    { to: COMMAND, insert: true, delete: true, because: 'grants and withdraws roles' },
    { to: PANEL, delete: true, because: 'an admin revokes roles, and grants none' },
  ],
  staff_session: [
    {
      to: PAYMENTS,
      select: only('id', 'staff_handle', 'revoked_at', 'means', 'created_at'),
      because: 'checks who acts, without the token’s hash',
    },
    { to: PANEL, select: all, because: 'finds a session by the hash of its token' },
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
    { to: PAYMENTS, select: all, update: ['consumed_at', 'outcome'], because: 'uses an act up; never creates one' },
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      update: ['consumed_at', 'outcome'],
      because: 'stores a person’s act',
    },
  ],
};
