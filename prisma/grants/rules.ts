// What the processes may do with the tables of rules and decisions, in the order of the schema.
import { all, API, COMMAND, only, PANEL, PAYMENTS, RULES, type TableGrants } from './grant.js';

export const RULE_GRANTS: TableGrants = {
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
      because: 'its workflow stores proof, decisions and result, but cannot change the proposal',
    },
    { to: [...COMMAND, ...PANEL], insert: true, because: 'staff propose a change' },
  ],
  decision: [{ to: RULES, select: all, insert: true, because: 'append-only: every decision with its facts' }],
  automatic_use: [
    {
      to: RULES,
      select: all,
      insert: true,
      update: ['hour', 'hour_minor', 'day', 'day_minor'],
      because: 'the cap of automatic payouts, under its lock',
    },
  ],
};
