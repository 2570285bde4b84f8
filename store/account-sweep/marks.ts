// How far each list of a provider's account was read. The mark moves when a sweep has applied its last page, so an
// interrupted sweep is repeated.
import type { SweptSpan } from '../../contract/temporal/account-sweep.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { ReceivedPart, SweptPart } from '../../domain/receipts.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

/** Newer entries are skipped: their callback may still come. */
const LEFT_TO_CALLBACKS_SECONDS = 120;
/** The overlap of a sweep with the one before: lists show a payment late, and clocks differ. */
const OVERLAP_SECONDS = 15 * 60;
/** The most that one sweep reads after a pause; the next sweeps continue. */
const LONGEST_SPAN_SECONDS = 24 * 3_600;
/** How long a payment can be sent back (MED: 80 days). Lists show a return with its payment only. */
const RETURNS_SECONDS = 90 * 24 * 3_600;
/** A case can be opened in that time too, and takes weeks to end. Its list has no order of changes: all is read. */
const DISPUTES_SECONDS = 120 * 24 * 3_600;
/** How long a deposit has to store a payment that it was notified of. */
const SETTLES_WITHIN_SECONDS = 30 * 60;

/** The next span. The first one ever begins now: the account's earlier life is not this gateway's. */
export async function spanToSweep(
  database: Database,
  provider: AccountName,
  part: SweptPart,
  at: string,
): Promise<SweptSpan> {
  if (part === 'disputes') return span(Date.parse(at) - DISPUTES_SECONDS * 1_000, Date.parse(at));
  const toMs = Date.parse(at) - LEFT_TO_CALLBACKS_SECONDS * 1_000;
  if (part === 'returns' || part === 'payout_returns') return span(toMs - RETURNS_SECONDS * 1_000, toMs);
  const mark = await database.accountSweep.findUnique({ where: { provider_part: { provider, part } } });
  const fromMs = (mark?.through.getTime() ?? toMs) - OVERLAP_SECONDS * 1_000;
  return span(fromMs, Math.min(toMs, fromMs + LONGEST_SPAN_SECONDS * 1_000));
}

function span(fromMs: number, toMs: number): SweptSpan {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

export interface SweepMark {
  readonly provider: AccountName;
  readonly part: SweptPart;
  readonly at: string;
  readonly through: string;
}

/** Notes how far a list was read. */
export async function moveMark(database: Database, { provider, part, at: sweptAt, through }: SweepMark): Promise<void> {
  await database.accountSweep.upsert({
    where: { provider_part: { provider, part } },
    create: { provider, part, sweptAt, through },
    update: { sweptAt, through },
  });
}

/** A payment that a deposit was notified of and has not stored. */
export interface UnsettledReceipt {
  readonly endToEndId: string;
  readonly depositId: string;
  readonly operationId: string;
}

/**
 * Moves the mark, and notes which of the payments that were missed have reached their deposits since. Returns those
 * that have not for half an hour.
 */
export async function finishSweep(
  database: Database,
  { provider, part, at, through }: SweepMark & { readonly part: ReceivedPart },
): Promise<UnsettledReceipt[]> {
  return database.$queryRaw<UnsettledReceipt[]>`
    WITH mark AS (
      INSERT INTO account_sweep (provider, part, through, swept_at)
      VALUES (${provider}, ${part}, ${through}::timestamptz, ${at}::timestamptz)
      ON CONFLICT (provider, part) DO UPDATE
      SET through = greatest(account_sweep.through, EXCLUDED.through), swept_at = EXCLUDED.swept_at
    ), missed AS (
      SELECT found_receipt.end_to_end_id, deposit_id, operation_id, found_at, ${SHOWS_PAYMENT} AS is_settled
      FROM found_receipt JOIN deposit ON deposit.id = found_receipt.deposit_id
      WHERE found_receipt.provider = ${provider} AND settled_at IS NULL
    ), settled AS (
      UPDATE found_receipt SET settled_at = ${at}::timestamptz
      FROM missed WHERE missed.is_settled AND found_receipt.provider = ${provider}
        AND found_receipt.end_to_end_id = missed.end_to_end_id
    )
    SELECT end_to_end_id AS "endToEndId", deposit_id AS "depositId", operation_id AS "operationId" FROM missed
    WHERE NOT is_settled AND found_at < ${at}::timestamptz - make_interval(secs => ${SETTLES_WITHIN_SECONDS})`;
}

/** Whether the deposit shows the payment: as its own, or as a further payment on its charge. */
const SHOWS_PAYMENT = Prisma.sql`
  (coalesce(deposit.end_to_end_id = found_receipt.end_to_end_id, false)
    OR found_receipt.end_to_end_id = ANY(deposit.extra_payments))`;
