// The one statement that compares a day of a provider's statement with the ledger and with the payments' rows. SQL,
// because the three must be seen at the same moment, and a day has many lines.
import { STATEMENT_TIME_ZONE } from '../../domain/statements.js';
import { Prisma } from '../../prisma/generated/client.js';
import { standingSql } from './removals.js';

/** The number of differences that are kept one by one; all are counted. */
const MOST_DIFFERENCES = 1_000;

/** Rows `{comparison, number, differences}`. */
export function compareSql(provider: string, day: string): Prisma.Sql {
  return Prisma.sql`
    WITH span AS (
      SELECT ${day}::date::timestamp AT TIME ZONE ${STATEMENT_TIME_ZONE} AS first,
        (${day}::date + 1)::timestamp AT TIME ZONE ${STATEMENT_TIME_ZONE} AS final
    ),
    line AS (
      SELECT kind, coalesce(end_to_end_id, line_id) AS reference, sum(amount_minor) AS amount
      FROM statement_line WHERE provider = ${provider} AND day = ${day}::date
        AND ${standingSql(Prisma.sql`statement_line`)}
      GROUP BY 1, 2
    ),
    ${enteredSql(provider)},
    reference AS (
      SELECT reference FROM line
      UNION SELECT reference FROM entered, span WHERE at >= span.first AND at < span.final
    ),
    ${paidSql(provider)},
    books AS (
      SELECT kind, reference, operation_id, subject, entered.amount AS ledger, paid.amount AS payment, entered.at
      FROM entered FULL JOIN paid USING (kind, reference, operation_id, subject)
    ),
    compared AS (
      SELECT kind, reference, operation_id, subject, line.amount AS statement, ledger, payment, at
      FROM line FULL JOIN books USING (kind, reference), span
      WHERE line.amount IS NOT NULL OR (at >= span.first AND at < span.final AND NOT EXISTS (
        SELECT FROM statement_line AS other
        WHERE other.provider = ${provider} AND coalesce(other.end_to_end_id, other.line_id) = reference
          AND other.kind = books.kind AND ${standingSql(Prisma.sql`other`)}
      ))
    ),
    judged AS (SELECT compared.*, ${comparisonSql(provider, day)} AS comparison FROM compared, span),
    listed AS (
      SELECT judged.*, row_number() OVER (PARTITION BY comparison ORDER BY kind, reference, subject) AS position
      FROM judged
    )
    SELECT comparison, count(*)::int AS number,
      coalesce(jsonb_agg(${differenceSql()} ORDER BY position) FILTER (
        WHERE comparison NOT IN ('matched', 'undecided') AND position <= ${MOST_DIFFERENCES}
      ), '[]') AS differences
    FROM listed GROUP BY comparison`;
}

/**
 * CTE `entered`: the movements at the provider that are in the books since shortly before the day, by the reference
 * that a line of them has. They are entered when the gateway learns of them, which may be long after the day.
 */
function enteredSql(provider: string): Prisma.Sql {
  return Prisma.sql`
    entered AS (
      SELECT bank.kind, coalesce(document, bank_id) AS reference, bank.operation_id, object_id AS subject,
        sum(abs(entry.amount_minor)) AS amount, min(entry.created_at) AS at
      FROM span, ledger_entry AS entry
      JOIN bank_movement AS bank USING (object_id, step)
      LEFT JOIN cash_movement ON cash_movement.id = object_id
      WHERE bank.account = ${provider} AND entry.account = 'provider_clearing'
        AND entry.created_at >= span.first - interval '2 days'
      GROUP BY 1, 2, 3, 4
    )`;
}

/** CTE `paid`: what the rows of the payments and cash movements show for these references. */
function paidSql(provider: string): Prisma.Sql {
  return Prisma.sql`
    named_deposit AS (
      SELECT * FROM deposit WHERE provider = ${provider} AND (
        end_to_end_id IN (SELECT reference FROM reference) OR id IN (SELECT subject FROM entered)
      )
    ),
    named_withdrawal AS (
      SELECT * FROM withdrawal WHERE provider = ${provider} AND psp_reference IN (SELECT reference FROM reference)
    ),
    paid AS (
      SELECT 'received' AS kind, end_to_end_id AS reference, operation_id, id AS subject, paid_amount_minor AS amount
      FROM named_deposit WHERE end_to_end_id IS NOT NULL
      UNION ALL
      -- The row keeps the ids of further payments only.
      SELECT entered.kind, entered.reference, entered.operation_id, subject, amount
      FROM entered JOIN named_deposit ON id = subject AND entered.reference = ANY(extra_payments)
      WHERE entered.kind = 'received'
      UNION ALL
      SELECT 'returned_to_payer', part.of, operation_id, id, sum(part."amountMinor")
      FROM named_deposit, jsonb_to_recordset(returned_parts) AS part (of text, "amountMinor" numeric)
      GROUP BY part.of, operation_id, id
      UNION ALL
      SELECT 'fee', fee.of, operation_id, id, fee.amount::numeric
      FROM named_deposit, jsonb_each_text(fees) AS fee (of, amount)
      UNION ALL
      SELECT 'sent', psp_reference, operation_id, id, amount_minor
      FROM named_withdrawal WHERE status IN ('paid', 'returned')
      UNION ALL
      SELECT 'returned_to_us', psp_reference, operation_id, id, returned_minor
      FROM named_withdrawal WHERE returned_minor > 0
      UNION ALL
      SELECT 'fee', psp_reference, operation_id, id, fee_minor FROM named_withdrawal WHERE fee_minor IS NOT NULL
      UNION ALL
      SELECT entered.kind, entered.reference, entered.operation_id, subject, amount_minor
      FROM entered JOIN cash_movement ON cash_movement.id = subject
    )`;
}

/**
 * In the day's first and last hour, the line may be in the statement of the adjacent day: until that is imported, the
 * difference is left open.
 */
function comparisonSql(provider: string, day: string): Prisma.Sql {
  const isImported = (days: Prisma.Sql) => Prisma.sql`EXISTS (
        SELECT FROM statement_day WHERE provider = ${provider} AND day = ${day}::date ${days}
          AND ${standingSql(Prisma.sql`statement_day`)}
      )`;
  return Prisma.sql`
      CASE
        WHEN statement IS NULL AND at < span.first + interval '1 hour' AND NOT ${isImported(Prisma.sql`- 1`)}
          THEN 'undecided'
        WHEN statement IS NULL AND at >= span.final - interval '1 hour' AND NOT ${isImported(Prisma.sql`+ 1`)}
          THEN 'undecided'
        WHEN statement IS NULL THEN 'missing_there'
        WHEN ledger IS NULL AND payment IS NULL THEN 'missing_here'
        WHEN statement = ledger AND ledger = payment THEN 'matched'
        ELSE 'amount_differs'
      END`;
}

function differenceSql(): Prisma.Sql {
  return Prisma.sql`jsonb_build_object(
        'comparison', comparison, 'kind', kind, 'reference', reference, 'operation_id', operation_id,
        'subject', subject, 'statement', statement::text, 'ledger', ledger::text, 'payment', payment::text
      )`;
}
