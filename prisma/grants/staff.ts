// What the processes may do with the tables of staff, in the order of the schema.
import { all, API, COMMAND, only, PANEL, PAYMENTS, SETUP, type TableGrants } from './grant.js';

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
      because: 'checks who acts, in the statement that performs the act',
    },
    {
      to: COMMAND,
      insert: true,
      update: ['disabled_at', 'oidc_issuer', 'oidc_subject'],
      because: 'creates, disables and enables people, and assigns their accounts at the identity provider',
    },
    { to: PANEL, update: ['disabled_at'], because: 'an admin disables people; the panel creates none' },
    { to: SETUP, select: all, insert: true, because: 'makes the first admins' },
  ],
  staff_policy: [{ to: [...PANEL, ...COMMAND, ...SETUP], select: all, because: 'says how long what is new waits' }],
  staff_role: [
    { to: API, insert: true, in: 'sandbox', because: 'a tester has every role' },
    { to: PAYMENTS, select: all, because: 'checks who acts' },
    { to: COMMAND, insert: true, delete: true, because: 'grants and withdraws roles' },
    { to: PANEL, delete: true, because: 'an admin withdraws roles; the panel grants none' },
    {
      to: SETUP,
      select: all,
      insert: true,
      delete: true,
      because: 'makes the first admins, while nobody is one; without the right to delete it could not lock the table',
    },
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
    {
      to: PANEL,
      select: all,
      insert: true,
      update: ['used_at'],
      delete: true,
      because: 'starts a session with a link, once; people make codes for their own command line',
    },
    { to: COMMAND, insert: true, update: ['used_at'], delete: true, because: 'codes that start a session' },
    { to: SETUP, select: all, insert: true, delete: true, because: 'a code for each of the first admins' },
  ],
  staff_passkey: [
    {
      to: PAYMENTS,
      select: only('id', 'staff_handle', 'public_key', 'created_at', 'removed_at', 'signs_from'),
      because: 'verifies signatures, when an act is performed and every night',
    },
    {
      to: PANEL,
      select: all,
      insert: true,
      update: ['counter', 'last_used_at', 'removed_at', 'removed_by', 'confirmed_by'],
      because: 'people sign in and sign acts, and confirm the new passkeys of others',
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
      because: 'challenges for authenticators and the identity provider, valid for minutes',
    },
  ],
  staff_act: [
    { to: API, insert: true, in: 'sandbox', because: 'a tester decides reviews' },
    {
      to: PAYMENTS,
      select: all,
      update: ['consumed_at', 'outcome'],
      because: 'marks an act as used; never creates one',
    },
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      update: ['consumed_at', 'outcome'],
      because: 'stores acts of people',
    },
  ],
};
