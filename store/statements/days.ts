// Days of providers' statements: comparing one, keeping what came of it as a revision, and reading it.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import {
  type Comparison,
  COMPARISONS,
  dayBeside,
  type OfDay,
  type StatementDifference,
  statementObjectOf,
} from '../../domain/statements.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { Prisma, StatementDay } from '../../prisma/generated/client.js';
import { insertAlert, resolveAlerts } from '../alerts/alerts.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';
import { compareSql } from './compare-sql.js';
import { importedLines, removalsOf } from './removals.js';

export interface ComparedDay {
  readonly day: string;
  readonly lines: number;
  readonly counts: Readonly<Record<Comparison, number>>;
  /** The first of them; all are counted. */
  readonly differences: readonly StatementDifference[];
  /** SHA-256 of counts and differences, in hex. */
  readonly digest: string;
}

/** Compares the current data and keeps nothing. */
async function compareDay(transaction: Transaction, { provider, day }: OfDay): Promise<ComparedDay> {
  const rows = await transaction.$queryRaw<
    { comparison: Comparison; number: number; differences: StatementDifference[] }[]
  >(compareSql(provider, day));
  const numberOf = (comparison: Comparison) => rows.find((row) => row.comparison === comparison)?.number ?? 0;
  const counts = Object.fromEntries(COMPARISONS.map((one) => [one, numberOf(one)])) as Record<Comparison, number>;
  const differences = COMPARISONS.flatMap((one) => rows.find((row) => row.comparison === one)?.differences ?? []);
  const { lines } = await importedLines(transaction, { provider, day });
  const digest = createHash('sha256')
    .update(canonicalJson({ lines, counts, differences } as unknown as JsonValue))
    .digest('hex');
  return { day, lines, counts, differences, digest };
}

/**
 * Compares the day, and the imported adjacent days, whose first or last hour depends on it. Changes are kept as a
 * revision.
 */
export async function keepComparisons(
  transaction: Transaction,
  { provider, day }: OfDay,
  comparedBy: string,
): Promise<ComparedDay> {
  const compared = await keepComparison(transaction, { provider, day }, comparedBy);
  for (const beside of [dayBeside(day, -1), dayBeside(day, 1)])
    if ((await latestStanding(transaction, { provider, day: beside })) !== null)
      await keepComparison(transaction, { provider, day: beside }, comparedBy);
  return compared;
}

async function keepComparison(transaction: Transaction, of: OfDay, comparedBy: string): Promise<ComparedDay> {
  const compared = await compareDay(transaction, of);
  const [removals, before] = [await removalsOf(transaction, of), await latest(transaction, of)];
  if (before?.digest !== compared.digest || before.removals !== removals) {
    const { matched, missing_here, missing_there, amount_differs, undecided } = compared.counts;
    await transaction.statementDay.create({
      data: {
        provider: of.provider,
        day: new Date(of.day),
        revision: (before?.revision ?? 0) + 1,
        removals,
        lineCount: compared.lines,
        matched,
        missingHere: missing_here,
        missingThere: missing_there,
        amountDiffers: amount_differs,
        undecided,
        differences: compared.differences as unknown as Prisma.InputJsonArray,
        digest: compared.digest,
        comparedBy,
      },
    });
    await updateAlert(transaction, of, compared);
  }
  return compared;
}

/** One open alert for each day that does not agree. Its age and the person who took it are those of the difference. */
async function updateAlert(transaction: Transaction, { provider, day }: OfDay, { counts }: ComparedDay): Promise<void> {
  const kind = 'STATEMENT_DIFFERS';
  const objectId = statementObjectOf(provider, day);
  const at = new Date().toISOString();
  const { missing_here, missing_there, amount_differs } = counts;
  if (missing_here + missing_there + amount_differs === 0) return resolveAlerts(transaction, { kind, objectId, at });
  const detail = `${day}: ${missing_here} missing here, ${missing_there} missing there, ${amount_differs} differ`;
  await insertAlert(transaction, { kind, detail, occasion: null, operationId: null, objectId, at });
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
  const differences = row.differences as unknown as readonly StatementDifference[];
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
