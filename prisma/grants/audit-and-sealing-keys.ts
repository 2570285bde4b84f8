// What the processes may do with the tables of the audit trail and the sealing keys, in the order of the schema.
import { all, COMMAND, PAYMENTS, SEALING, type TableGrants } from './grant.js';

export const AUDIT_AND_SEALING_KEY_GRANTS: TableGrants = {
  audit_entry: [{ to: PAYMENTS, select: all, because: 'checks the chain; entries are appended by a function' }],
  named_lock: [],
  audit_seal: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      because: 'append-only: seals of the chain, made with a key outside the database',
    },
  ],
  data_key: [
    { to: SEALING, select: all, because: 'wrapped keys, which the vault unwraps' },
    { to: COMMAND, insert: true, update: ['wrapped', 'retired_at'], because: 'creates, rewraps and retires keys' },
  ],
  sealing_key_use: [
    { to: SEALING, select: all, insert: true, update: ['last_used_at'], because: 'records which key it seals with' },
  ],
};
