-- Freezes a book's next days (an operation in one currency), in order, at most 31 and through `p_through`: the only way
-- to write them. One statement, because choosing the days, listing their entries and storing items, totals and digest
-- must see the same moment. By the database's own clock: it freezes no day before D+1 02:00 UTC
-- (domain/reconciliation.ts), and allows the five seconds by which the clocks of the processes may differ
-- (activities/intercepted.ts).
-- `days`: how many were frozen, null if `p_through` is not closed. `last`: the book's last frozen day, null without
-- one.
--
-- Entries of an operation are numbered under its counter's lock, so an entry that commits after the statement's
-- snapshot has a number above `through_entry_id`: that is how the next freeze finds the late ones. A second freeze of
-- the same days at the same time violates a primary key and changes nothing.
CREATE OR REPLACE FUNCTION freeze_days(
  p_operation_id text, p_currency text, p_through date, OUT days integer, OUT last text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  -- By the operation's clock: in the sandbox days close when it is advanced.
  today timestamptz := operation_time((SELECT clock FROM operation WHERE id = p_operation_id));
BEGIN
  IF today + interval '5 seconds' < (p_through + 1)::timestamp AT TIME ZONE 'UTC' + interval '2 hours' THEN
    RETURN;
  END IF;

  WITH kinds (movement, kind, status) AS (
    -- The movements that settle, the kind of item that each makes, and the payment's state right after it.
    VALUES ('deposit_credited', 'deposit', 'paid'),
      ('deposit_released', 'deposit', 'paid'),
      ('deposit_refunded', 'refund', 'refunded'),
      ('deposit_refunded_in_part', 'refund', 'paid'),
      ('deposit_charged_back', 'chargeback', 'chargeback'),
      ('deposit_charged_back_in_part', 'chargeback', 'paid'),
      ('withdrawal_returned', 'return', 'returned'),
      ('withdrawal_returned_in_part', 'return', 'paid'),
      ('fee_apart', 'fee', 'charged'),
      ('withdrawal_paid', 'withdrawal', 'paid')
  ),
  frozen AS (
    SELECT date, through_entry_id FROM reconciliation_day
    WHERE operation_id = p_operation_id AND currency = p_currency ORDER BY date DESC LIMIT 1
  ),
  -- The book's first day, if none is frozen.
  beginning AS (
    SELECT least(
      (SELECT (created_at AT TIME ZONE 'UTC')::date FROM operation WHERE id = p_operation_id),
      (SELECT (min(created_at) AT TIME ZONE 'UTC')::date FROM ledger_entry
       WHERE operation_id = p_operation_id AND currency = p_currency AND settles(account, movement))
    ) AS date
    WHERE NOT EXISTS (SELECT FROM frozen)
  ),
  -- The days to freeze, and the last entry that an earlier freeze saw.
  span AS (
    SELECT first, least(p_through, first + 30) AS final, seen
    FROM (
      SELECT coalesce((SELECT date + 1 FROM frozen), (SELECT date FROM beginning)) AS first,
        coalesce((SELECT through_entry_id FROM frozen), 0) AS seen
    ) AS start
    WHERE first <= p_through
  ),
  -- The settlements of the days, and late ones of earlier days, which count on the first.
  entries AS (
    SELECT entry.id, entry.object_id, entry.step, entry.movement, entry.amount_minor, entry.created_at,
      (entry.created_at AT TIME ZONE 'UTC')::date AS date
    FROM span, ledger_entry AS entry
    WHERE operation_id = p_operation_id AND currency = p_currency AND settles(account, movement)
      AND created_at >= span.first::timestamp AT TIME ZONE 'UTC'
      AND created_at < (span.final + 1)::timestamp AT TIME ZONE 'UTC'
    UNION ALL
    SELECT entry.id, entry.object_id, entry.step, entry.movement, entry.amount_minor, entry.created_at, span.first
    FROM span, ledger_entry AS entry
    WHERE operation_id = p_operation_id AND currency = p_currency AND settles(account, movement)
      AND entry.id > span.seen AND created_at < span.first::timestamp AT TIME ZONE 'UTC'
  ),
  -- The entries with their payments and fees.
  settled AS (
    SELECT entries.id, entries.date, entries.created_at, kinds.kind, kinds.status, abs(entries.amount_minor) AS amount,
      entries.object_id,
      coalesce(deposit.external_id, withdrawal.external_id, '') AS external_id, -fee.amount_minor AS fee
    FROM entries
    JOIN kinds ON kinds.movement = entries.movement
    LEFT JOIN ledger_entry AS fee
      ON fee.object_id = entries.object_id AND fee.step = entries.step || ':fee' AND fee.account = 'available'
    LEFT JOIN deposit ON deposit.id = entries.object_id AND deposit.operation_id = p_operation_id
    LEFT JOIN withdrawal ON withdrawal.id = entries.object_id AND withdrawal.operation_id = p_operation_id
  ),
  -- The items as they are served, their members in the order of RFC 8785. Its texts are ASCII, which Postgres and RFC
  -- 8785 escape alike.
  listed AS (
    SELECT settled.*,
      '{"amount":{"amount":"' || amount || '","currency":' || to_json(p_currency) || '}'
        || ',"external_id":' || to_json(external_id)
        || ',"fee":' || coalesce('{"amount":"' || fee || '","currency":' || to_json(p_currency) || '}', 'null')
        || ',"kind":"' || kind || '","object_id":' || to_json(object_id)
        || ',"settled_at":"' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        || '","status":"' || status || '"}' AS body,
      row_number() OVER (PARTITION BY date ORDER BY object_id COLLATE "C", kind COLLATE "C", id)::int AS position
    FROM settled
  ),
  items AS (
    INSERT INTO reconciliation_item (operation_id, currency, date, position, entry_id, body)
    SELECT p_operation_id, p_currency, date, position, id, body FROM listed
  ),
  -- A row for each day, also for one without items.
  frozen_now AS (
    INSERT INTO reconciliation_day (operation_id, currency, date, item_count, carried_count, deposits_paid_minor,
      withdrawals_paid_minor, refunds_minor, chargebacks_minor, fees_minor, digest, through_entry_id, frozen_at)
    SELECT p_operation_id, p_currency, day.date, count(listed.id)::int,
      count(*) FILTER (WHERE listed.created_at < day.date::timestamp AT TIME ZONE 'UTC')::int,
      coalesce(sum(amount) FILTER (WHERE kind = 'deposit'), 0),
      coalesce(sum(amount) FILTER (WHERE kind = 'withdrawal'), 0),
      coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0),
      coalesce(sum(amount) FILTER (WHERE kind = 'chargeback'), 0),
      coalesce(sum(fee), 0) + coalesce(sum(amount) FILTER (WHERE kind = 'fee'), 0),
      encode(
        sha256(convert_to('[' || coalesce(string_agg(body, ',' ORDER BY position), '') || ']', 'UTF8')), 'hex'
      ),
      coalesce((
        SELECT max(id) FROM ledger_entry
        WHERE operation_id = p_operation_id AND currency = p_currency AND settles(account, movement)
      ), 0),
      today
    FROM span
    CROSS JOIN LATERAL (
      SELECT span.first + offset_days AS date FROM generate_series(0, span.final - span.first) AS offset_days
    ) AS day
    LEFT JOIN listed ON listed.date = day.date
    GROUP BY day.date
    RETURNING date
  )
  SELECT count(*)::int, coalesce(max(frozen_now.date), (SELECT date FROM frozen))::text
  INTO days, last FROM frozen_now;
END
$$;
