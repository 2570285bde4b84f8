// What the processes may do with the tables of events and the ledger, in the order of the schema.
import { all, API, COMMAND, except, PANEL, PAYMENTS, RULES, type TableGrants, WEBHOOKS } from './grant.js';

export const EVENT_AND_LEDGER_GRANTS: TableGrants = {
  event: [
    { to: [...API, ...WEBHOOKS], select: all, because: 'serves and delivers events' },
    {
      to: RULES,
      select: except('body_sealed'),
      insert: true,
      because: 'append-only: every transition publishes; bodies are not read back',
    },
    { to: PANEL, select: all, because: 'people see what an operator was sent, with personal data masked' },
    { to: COMMAND, insert: true, because: '`rules set` publishes rules.updated' },
  ],
  event_outbox: [
    { to: [...RULES, ...COMMAND], select: all, insert: true, because: 'every event is written with its delivery' },
    { to: PANEL, insert: true, because: 'people have events delivered again' },
    { to: API, insert: true, because: 'operators have events delivered again' },
    {
      to: API,
      select: all,
      update: ['due_at'],
      in: 'sandbox',
      because: 'attempts that an advanced clock makes due',
    },
    { to: PAYMENTS, select: all, because: 'shows how long events wait' },
    {
      to: WEBHOOKS,
      select: all,
      insert: true,
      update: ['due_at', 'attempts'],
      delete: true,
      because: 'takes events to deliver them, plans repeats',
    },
  ],
  webhook_delivery: [
    { to: WEBHOOKS, select: all, insert: true, because: 'the log of attempts' },
    { to: API, select: all, because: 'shows operators their deliveries' },
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
  bank_movement: [
    {
      to: RULES,
      select: all,
      insert: true,
      because: 'append-only: what moved at the provider, written with its entries',
    },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'cash movements at the provider' },
  ],
  suspense_item: [
    { to: RULES, select: all, insert: true, because: 'late and extra payments; a trigger keeps what is left of each' },
    { to: PANEL, select: all, because: 'people see who paid before they send it back' },
  ],
  suspense_entry: [
    { to: RULES, select: all, insert: true, because: 'append-only: receipts and exits, written with their entries' },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'exits that two people enter' },
  ],
  ledger_entry: [
    { to: RULES, select: all, insert: true, because: 'append-only: both sides of every movement' },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'both sides of a cash movement' },
  ],
  statement_line: [
    { to: COMMAND, insert: true, because: 'append-only: `statement import`' },
    { to: PAYMENTS, select: all, because: 'open differences are compared again with what was booked since' },
  ],
  statement_day: [
    {
      to: [...PAYMENTS, ...PANEL, ...COMMAND],
      select: all,
      insert: true,
      because: 'append-only: the result of each comparison',
    },
  ],
  statement_item: [
    {
      to: [...PAYMENTS, ...PANEL, ...COMMAND],
      select: all,
      insert: true,
      update: ['closed_at'],
      because: 'differences open with a comparison, and close when they are none any more',
    },
  ],
  statement_resolution: [
    { to: [...PANEL, ...COMMAND], insert: true, because: 'append-only: differences that two people explained' },
    { to: PAYMENTS, select: all, because: 'what people explained raises no alert' },
  ],
  account_balance: [
    {
      to: PAYMENTS,
      select: all,
      insert: true,
      update: ['ledger_minor', 'low_minor', 'high_minor', 'compared_at'],
      because: 'what providers state of their accounts, compared with the books',
    },
  ],
  statement_removal: [
    { to: [...PANEL, ...COMMAND], insert: true, because: 'append-only: days that two people took back' },
    { to: PAYMENTS, select: all, because: 'which lines count' },
  ],
  return_conclusion: [
    { to: RULES, select: all, because: 'a step settles a return by what people concluded of it' },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'append-only: returns that two people concluded' },
  ],
  item_return: [
    { to: RULES, select: all, because: 'the permission to ask the provider for it' },
    { to: [...PANEL, ...COMMAND], insert: true, because: 'append-only: returns that two people ordered' },
  ],
  cash_movement: [
    { to: RULES, select: all, because: 'the nightly check compares each with its entries' },
    {
      to: [...PANEL, ...COMMAND],
      insert: true,
      because: 'append-only: movements by people, written with their ledger entries',
    },
  ],
  reconciliation_day: [{ to: [...API, ...PAYMENTS], select: all, because: 'frozen days; a function writes them' }],
  reconciliation_item: [{ to: [...API, ...PAYMENTS], select: all, because: 'the items of frozen days' }],
};
