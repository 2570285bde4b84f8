// What each role may do in the database: the one list, from which the SQL of a deployment (apply-grants.ts), the tables
// of docs/operating.md and the tests follow. Everything else is refused. The lines are in prisma/grants, by subject.
import { AUDIT_AND_SEALING_KEY_GRANTS } from './grants/audit-and-sealing-keys.js';
import { EVENT_AND_LEDGER_GRANTS } from './grants/events-and-ledger.js';
import { FUNCTION_GRANTS } from './grants/functions.js';
import type { Columns, TableGrant, TableGrants } from './grants/grant.js';
import { OPERATION_GRANTS } from './grants/operations.js';
import { PAYMENT_GRANTS } from './grants/payments.js';
import { REQUEST_GRANTS } from './grants/requests.js';
import { RULE_GRANTS } from './grants/rules.js';
import { STAFF_GRANTS } from './grants/staff.js';
import { type Role, withIncluded } from './roles.js';

/** Columns that the command may read, and the panel and the reader may not. */
const SECRET_COLUMNS = /_sealed$|^token_hash$|^wrapped$|^hash_key$/;
export const READS: Readonly<Partial<Record<Role, 'everything' | 'everything but secrets'>>> = {
  gateway_command: 'everything',
  gateway_panel: 'everything but secrets',
  gateway_reader: 'everything but secrets',
};

/** Every table, in the order of the schema. Only the command and the reader read a table without a line. */
export const TABLE_GRANTS: TableGrants = {
  ...OPERATION_GRANTS,
  ...RULE_GRANTS,
  ...PAYMENT_GRANTS,
  ...EVENT_AND_LEDGER_GRANTS,
  ...REQUEST_GRANTS,
  ...STAFF_GRANTS,
  ...AUDIT_AND_SEALING_KEY_GRANTS,
};

export type Environment = 'sandbox' | 'production';

/** What a role may do to a table, including the roles in it. Names of columns; `all` for every one. */
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
