// Days of providers' statements: what a comparison came to, as a revision with its differences, and the alert about it.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import {
  type DIFFERING,
  type Difference,
  type OfDay,
  type StatementDifference,
  statementObjectOf,
} from '../../domain/statements.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Prisma, StatementDay } from '../../prisma/generated/client.js';
import { alertOf } from '../../domain/alert-records.js';
import { insertAlert, resolveAlerts } from '../alerts/alerts.js';
import { type Database, toBigInt } from '../database.js';
import type { Transaction } from '../transactions.js';
import { importedLines, removalsOf } from './removals.js';

/** The number of differences that a revision has one by one; all are counted. */
const MOST_DIFFERENCES = 1_000;

/** A difference of a day that a person has to explain, as it was at its comparison. */
export interface DayDifference extends Item {
  readonly comparison: (typeof DIFFERING)[number];
}

/**
 * Keeps what the open items of these days come to, if it has changed. The value of a day says whether one was found
 * now: then its alert begins anew, so that a new difference is not hidden behind one that somebody knows.
 */
export async function keepDays(
  transaction: Transaction,
  provider: AccountName,
  days: ReadonlyMap<string, boolean>,
  comparedBy: string,
): Promise<void> {
  for (const [day, hasNew] of days) await keepDay(transaction, { provider, day }, hasNew, comparedBy);
}

async function keepDay(transaction: Transaction, of: OfDay, hasNew: boolean, comparedBy: string): Promise<void> {
  const { lines } = await importedLines(transaction, of);
  const removals = await removalsOf(transaction, of);
  const before = await latest(transaction, of);
  const isStanding = before !== null && before.removals === removals;
  const items = await readDay(transaction, of);
  if (lines > 0 || items.length > 0 || isStanding) {
    const result = resultOf(items, lines);
    const digest = createHash('sha256')
      .update(canonicalJson(result as unknown as JsonValue))
      .digest('hex');
    if (!isStanding || before.digest !== digest) {
      const { counts, differences } = result;
      const key = { provider: of.provider, day: new Date(of.day), revision: (before?.revision ?? 0) + 1 };
      const kept = { removals, lineCount: lines, digest, comparedBy };
      const shown = differences as unknown as Prisma.InputJsonArray;
      await transaction.statementDay.create({ data: { ...key, ...kept, ...counts, differences: shown } });
    }
  }
  await updateAlert(transaction, of, items, hasNew);
}

/** A difference, or a movement that is none yet. */
interface Item extends StatementDifference {
  readonly id: string;
  readonly explained: boolean;
}

async function readDay(transaction: Transaction, { provider, day }: OfDay): Promise<readonly Item[]> {
  const rows = await transaction.statementItem.findMany({
    where: { provider, day: new Date(day), closedAt: null, comparison: { not: 'balance_differs' } },
    include: { resolution: true },
    orderBy: [{ comparison: 'asc' }, { kind: 'asc' }, { reference: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({
    id: row.id,
    comparison: row.comparison as Difference,
    kind: row.kind as StatementDifference['kind'],
    reference: row.reference,
    return_id: row.returnId,
    line: row.lineId,
    operation_id: row.operationId,
    subject: row.subject,
    statement: row.statementMinor === null ? null : toBigInt(row.statementMinor).toString(),
    ledger: row.ledgerMinor === null ? null : toBigInt(row.ledgerMinor).toString(),
    explained: row.resolution !== null,
  }));
}

function resultOf(items: readonly Item[], lines: number) {
  const count = (comparison: Difference) =>
    items.filter((item) => !item.explained && item.comparison === comparison).length;
  const counts = {
    matched: lines - items.filter(({ line }) => line !== null).length,
    missingHere: count('missing_here'),
    missingThere: count('missing_there'),
    amountDiffers: count('amount_differs'),
    undecided: count('undecided'),
    resolved: items.filter(({ explained }) => explained).length,
  };
  const differences = items.filter(({ comparison }) => comparison !== 'undecided').slice(0, MOST_DIFFERENCES);
  return { lines, counts, differences };
}

/** One open alert for each day with a difference that nobody has explained. */
async function updateAlert(
  transaction: Transaction,
  { provider, day }: OfDay,
  items: readonly Item[],
  hasNew: boolean,
): Promise<void> {
  const kind = 'STATEMENT_DIFFERS';
  const objectId = statementObjectOf(provider, day);
  const at = new Date().toISOString();
  const { missingHere, missingThere, amountDiffers } = resultOf(items, 0).counts;
  const differences = missingHere + missingThere + amountDiffers;
  if (differences === 0 || hasNew) await resolveAlerts(transaction, { kind, objectId, at });
  if (differences === 0) return;
  const values = { day, missingHere, missingThere, differing: amountDiffers };
  await insertAlert(transaction, {
    ...alertOf(kind, 'differs', values),
    occasion: null,
    operationId: null,
    objectId,
    at,
  });
}

function latest(transaction: Pick<Database, 'statementDay'>, { provider, day }: OfDay): Promise<StatementDay | null> {
  return transaction.statementDay.findFirst({ where: { provider, day: new Date(day) }, orderBy: { revision: 'desc' } });
}

/** The last comparison; `null` if the day was taken back after it. */
async function latestStanding(
  database: Pick<Database, 'statementDay' | 'statementRemoval'>,
  of: OfDay,
): Promise<StatementDay | null> {
  const row = await latest(database, of);
  return row !== null && row.removals === (await removalsOf(database, of)) ? row : null;
}

/** A comparison as staff see it. */
function present(row: StatementDay) {
  const { missingHere, missingThere, amountDiffers } = row;
  return {
    day: row.day.toISOString().slice(0, 10),
    revision: row.revision,
    ok: missingHere + missingThere + amountDiffers === 0,
    lines: row.lineCount,
    matched: row.matched,
    missing_here: missingHere,
    missing_there: missingThere,
    amount_differs: amountDiffers,
    undecided: row.undecided,
    resolved: row.resolved,
    compared_at: row.comparedAt,
    compared_by: row.comparedBy,
  };
}

/**
 * A revision of a day, or the last one, with its differences; `null` if there is none. Revisions of a day that was
 * taken back are read by their number.
 */
export async function readStatementDay(database: Database, of: OfDay, revision: number | null) {
  const { provider, day } = of;
  const row =
    revision === null
      ? await latestStanding(database, of)
      : await database.statementDay.findUnique({
          where: { provider_day_revision: { provider, day: new Date(day), revision } },
        });
  if (row === null) return null;
  const differences = row.differences as unknown as readonly DayDifference[];
  return { ...present(row), digest: row.digest, differences };
}

/** The accounts with at least one imported day. */
export async function readStatementAccounts(database: Database): Promise<AccountName[]> {
  const rows = await database.statementDay.groupBy({ by: ['provider'], orderBy: { provider: 'asc' } });
  return rows.map(({ provider }) => provider as AccountName);
}

/** The last revision of each day, newest day first, without days that were taken back. */
export async function readStatementDays(database: Database, provider: AccountName, take: number) {
  const removed = await database.statementRemoval.groupBy({ by: ['day'], where: { provider }, _max: { number: true } });
  const takenBack = removed.map(({ day, _max: { number } }) => ({ day, removals: { lt: number ?? 0 } }));
  const rows = await database.statementDay.findMany({
    where: { provider, NOT: { OR: takenBack } },
    distinct: ['day'],
    orderBy: [{ day: 'desc' }, { revision: 'desc' }],
    take,
  });
  return rows.map(present);
}
