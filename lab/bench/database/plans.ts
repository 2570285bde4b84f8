// How Postgres answers statements that were observed: the plan it runs and the pages it touches. Pages are exact and
// the same on a busy machine, so growth shows in them without a clock.
import pg from 'pg';
import type { Statement } from './observed.js';

/** One node of a plan, without its place in the tree. */
export interface PlanNode {
  readonly type: string;
  readonly table: string | null;
  readonly index: string | null;
}

/** `custom`: planned for these values. `generic`: planned once for any, which a named statement may come to. */
const PLAN_KINDS = ['custom', 'generic'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

export interface StatementPlan {
  readonly text: string;
  readonly kind: PlanKind;
  readonly nodes: readonly PlanNode[];
  /** Pages of tables and indexes that were looked at. */
  readonly pages: number;
}

/** Tables that grow with every payment or request: none of them may be read from end to end to answer one. */
const GROWING_TABLES: ReadonlySet<string> = new Set([
  'deposit',
  'withdrawal',
  'player',
  'event',
  'ledger_entry',
  'decision',
  'reconciliation_item',
  'webhook_delivery',
  'idempotency_key',
  'nonce',
]);

/**
 * The plans of each different statement, run and rolled back. An unnamed statement is always planned for its values.
 * Nothing else may use the client.
 */
export async function plansOf(client: pg.ClientBase, statements: readonly Statement[]): Promise<StatementPlan[]> {
  const distinct = [
    ...new Map(
      statements.filter(({ text }) => isPlanned(text)).map((statement) => [statement.text, statement]),
    ).values(),
  ];
  const plans: StatementPlan[] = [];
  for (const statement of distinct) {
    for (const kind of statement.named ? PLAN_KINDS : (['custom'] as const))
      plans.push(await planOf(client, statement, kind));
  }
  return plans;
}

function isPlanned(text: string): boolean {
  return /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text);
}

/** The nodes that read a growing table from end to end. */
export function wholeReads({ nodes }: StatementPlan): readonly PlanNode[] {
  return nodes.filter(({ type, table }) => type === 'Seq Scan' && table !== null && GROWING_TABLES.has(table));
}

/** "Index Scan deposit (deposit_pkey)" */
export function nodeName({ type, table, index }: PlanNode): string {
  return [type, table, index === null ? null : `(${index})`].filter((part) => part !== null).join(' ');
}

interface ExplainedNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly ExplainedNode[];
}

async function planOf(client: pg.ClientBase, { text, values }: Statement, kind: PlanKind): Promise<StatementPlan> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL plan_cache_mode = force_${kind}_plan`);
    await client.query(`PREPARE observed AS ${text}`);
    const parameters = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: ExplainedNode }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE observed${parameters}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan === undefined) throw new Error('EXPLAIN answered nothing');
    return { text, kind, nodes: flatten(plan), pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}

/** The value as the driver would send it, as a literal of a type that Postgres finds out. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (Array.isArray(value)) return pg.escapeLiteral(arrayText(value));
  if (typeof value === 'object') return pg.escapeLiteral(JSON.stringify(value));
  return pg.escapeLiteral(String(value as string | number | boolean | bigint));
}

function arrayText(values: readonly unknown[]): string {
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const item = (value: unknown) =>
    value === null
      ? 'NULL'
      : quoted(
          value instanceof Uint8Array
            ? `\\x${Buffer.from(value).toString('hex')}`
            : String(value as string | number | boolean),
        );
  return `{${values.map(item).join(',')}}`;
}

function flatten(node: ExplainedNode): PlanNode[] {
  const here = { type: node['Node Type'], table: node['Relation Name'] ?? null, index: node['Index Name'] ?? null };
  return [here, ...(node.Plans ?? []).flatMap(flatten)];
}
