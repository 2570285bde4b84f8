// How far each list of a provider's account was read, and where a sweep of it stands. Both are stored by the step that
// has the provider's answer, and come from nowhere else. The mark moves when a sweep has applied its last page, so one
// that is interrupted is read again.
import type { AccountName } from '../../domain/provider-accounts.js';
import type { SweptPart } from '../../domain/receipts.js';
import type { Database } from '../database.js';

/** Newer entries are skipped: their callback may still come. */
const LEFT_TO_CALLBACKS_SECONDS = 120;
/** The overlap of a sweep with the one before: lists show a payment late, and clocks differ. */
const OVERLAP_SECONDS = 15 * 60;
/** The most that one sweep reads after a pause; the next sweeps continue. */
const LONGEST_SPAN_SECONDS = 24 * 3_600;
/**
 * How long after a payment it can be sent back. By MED: a case within 80 days, 11 more to decide it, and then parts for
 * 90 days, as the account has money. Lists show a return with its payment only.
 */
const RETURNS_SECONDS = 190 * 24 * 3_600;
/** A receiving bank returns a payout within 90 days. */
const PAYOUT_RETURNS_SECONDS = 90 * 24 * 3_600;
/** A case can be opened for 80 days, and takes weeks to end. Its list has no order of changes: all is read. */
const DISPUTES_SECONDS = 120 * 24 * 3_600;

/** A sweep of one list. `at`: the time of the step. */
export interface Sweep {
  readonly provider: AccountName;
  readonly part: SweptPart;
  readonly at: string;
}

/** By the moments of the payments, RFC 3339. */
export interface SweptSpan {
  readonly from: string;
  readonly to: string;
}

/** The span that a sweep reads, and its next page: `null` before the first and after the last. */
export interface SweepPlace {
  readonly span: SweptSpan;
  readonly cursor: string | null;
}

interface StoredSweep {
  readonly begunAt: Date;
  readonly through: Date | null;
  readonly readingFrom: Date | null;
  readonly readingTo: Date | null;
  readonly cursor: string | null;
}

/** Where the sweep goes on, or where one that `begins` does: at the mark, whatever an earlier one left behind. */
export async function placeOf(database: Database, sweep: Sweep, begins: boolean): Promise<SweepPlace> {
  const stored = await storedSweep(database, sweep);
  const { readingFrom, readingTo, cursor } = stored;
  if (begins || readingFrom === null || readingTo === null) return { span: spanToSweep(sweep, stored), cursor: null };
  return { span: { from: readingFrom.toISOString(), to: readingTo.toISOString() }, cursor };
}

async function storedSweep(database: Database, { provider, part, at }: Sweep): Promise<StoredSweep> {
  const where = { provider_part: { provider, part } };
  const stored = await database.accountSweep.findUnique({ where });
  if (stored !== null) return stored;
  const begunAt = await firstUseOf(database, { provider, part, at });
  await database.accountSweep.createMany({ data: [{ provider, part, begunAt }], skipDuplicates: true });
  return database.accountSweep.findUniqueOrThrow({ where });
}

/** When the gateway first used the account: sweeps may begin later, such as when no worker was there for a while. */
async function firstUseOf(database: Database, { provider, part, at }: Sweep): Promise<Date> {
  const first = { where: { provider }, _min: { createdAt: true } } as const;
  const isOfPayouts = part === 'payouts' || part === 'payout_returns';
  const used = await (isOfPayouts ? database.withdrawal.aggregate(first) : database.deposit.aggregate(first));
  return new Date(Math.min(Date.parse(at), used._min.createdAt?.getTime() ?? Infinity));
}

/** When the list was read to its end the last time; `null` if it never was. */
export async function sweptAt(database: Database, { provider, part }: Sweep): Promise<Date | null> {
  const stored = await database.accountSweep.findUnique({ where: { provider_part: { provider, part } } });
  return stored?.sweptAt ?? null;
}

/** The next span. The first one ever begins with the gateway's use: the account's earlier life is not its own. */
function spanToSweep({ part, at }: Sweep, { begunAt, through }: StoredSweep): SweptSpan {
  if (part === 'disputes') return span(Date.parse(at) - DISPUTES_SECONDS * 1_000, Date.parse(at));
  const toMs = Date.parse(at) - LEFT_TO_CALLBACKS_SECONDS * 1_000;
  if (part === 'returns') return span(toMs - RETURNS_SECONDS * 1_000, toMs);
  if (part === 'payout_returns') return span(toMs - PAYOUT_RETURNS_SECONDS * 1_000, toMs);
  const markMs = through?.getTime() ?? begunAt.getTime() - LEFT_TO_CALLBACKS_SECONDS * 1_000;
  const fromMs = markMs - OVERLAP_SECONDS * 1_000;
  return span(fromMs, Math.min(toMs, fromMs + LONGEST_SPAN_SECONDS * 1_000));
}

function span(fromMs: number, toMs: number): SweptSpan {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** Stores where the sweep goes on. After its last page the mark moves to the end of what was read, and never back. */
export async function keepPlace(
  database: Database,
  { provider, part, at }: Sweep,
  { span: { from, to }, cursor }: SweepPlace,
): Promise<void> {
  if (cursor === null)
    await database.$executeRaw`
      UPDATE account_sweep
      SET through = greatest(through, ${to}::timestamptz), swept_at = greatest(swept_at, ${at}::timestamptz),
        reading_from = NULL, reading_to = NULL, cursor = NULL
      WHERE provider = ${provider} AND part = ${part}`;
  else
    await database.accountSweep.update({
      where: { provider_part: { provider, part } },
      data: { readingFrom: from, readingTo: to, cursor },
      select: { provider: true },
    });
}
