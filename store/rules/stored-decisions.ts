// Stored decisions of the rules engine, in the order in which they were made.
import { withAmounts } from '../../domain/money.js';
import type { Decision } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

export interface DecisionFilter {
  readonly operationId: string | null;
  readonly objectId: string | null;
  readonly since: Date;
}

/** The decisions on one payment, oldest first, at most `take`. */
export async function decisionsOf(database: Database, objectId: string, take: number): Promise<Decision[]> {
  return (await database.decision.findMany({ where: { objectId }, orderBy: { id: 'asc' }, take })).map(evaluable);
}

/** The newest decision on a payment; null if the rules never saw it. */
export function lastDecisionOn(database: Database, objectId: string) {
  return database.decision.findFirst({
    where: { objectId },
    orderBy: { id: 'desc' },
    select: { operationId: true, stage: true, outcome: true, decidedAt: true },
  });
}

/** Every decision that the filter matches, oldest first, read in pages. */
export async function* decisionPages(
  database: Database,
  { operationId, objectId, since }: DecisionFilter,
  pageSize: number,
): AsyncIterable<Decision[]> {
  let after = 0n;
  for (;;) {
    const page = await database.decision.findMany({
      where: {
        id: { gt: after },
        decidedAt: { gte: since },
        ...(operationId === null ? {} : { operationId }),
        ...(objectId === null ? {} : { objectId }),
      },
      orderBy: { id: 'asc' },
      take: pageSize,
    });
    if (page.length > 0) yield page.map(evaluable);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}

/** The newest decision's id; 0 without any. */
export async function newestDecisionId(database: Database): Promise<bigint> {
  return (await database.decision.findFirst({ orderBy: { id: 'desc' }, select: { id: true } }))?.id ?? 0n;
}

/** The decisions with these ids, as far as they exist. */
export async function decisionsWithIds(database: Database, ids: readonly bigint[]): Promise<Decision[]> {
  return (await database.decision.findMany({ where: { id: { in: [...ids] } } })).map(evaluable);
}

/** The amounts that the rules compare are bigint; the findings stay as they are shown. */
function evaluable(decision: Decision): Decision {
  return { ...decision, facts: withAmounts(decision.facts), thresholds: withAmounts(decision.thresholds) };
}

/** Whether the operation has this version of its rule set. */
export async function ruleSetVersionExists(database: Database, operationId: string, version: number): Promise<boolean> {
  return (await database.ruleSetVersion.count({ where: { operationId, version } })) > 0;
}
