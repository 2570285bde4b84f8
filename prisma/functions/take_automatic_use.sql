-- Adds an automatic payout to what its operation paid out in this hour and day, unless that would exceed a cap; TRUE if
-- it was added, or nothing is counted (`p_use` is null: domain/rules/automatic-limits.ts). Periods only move forward: a
-- decision with a slower clock counts in the newest period.
CREATE OR REPLACE FUNCTION take_automatic_use(p_operation_id text, p_currency text, p_amount numeric, p_use jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  per_hour numeric := coalesce((p_use ->> 'perHourMinor')::numeric, 'Infinity');
  per_day  numeric := coalesce((p_use ->> 'perDayMinor')::numeric, 'Infinity');
BEGIN
  IF p_use IS NULL THEN
    RETURN TRUE;
  END IF;
  IF p_amount > per_hour OR p_amount > per_day THEN
    RETURN FALSE;
  END IF;
  INSERT INTO automatic_use AS used (operation_id, currency, hour, hour_minor, day, day_minor)
  VALUES (p_operation_id, p_currency, p_use ->> 'hour', p_amount, p_use ->> 'day', p_amount)
  ON CONFLICT (operation_id, currency) DO UPDATE SET
    hour = greatest(used.hour, EXCLUDED.hour), day = greatest(used.day, EXCLUDED.day),
    hour_minor = CASE WHEN used.hour >= EXCLUDED.hour THEN used.hour_minor ELSE 0 END + p_amount,
    day_minor = CASE WHEN used.day >= EXCLUDED.day THEN used.day_minor ELSE 0 END + p_amount
  WHERE CASE WHEN used.hour >= EXCLUDED.hour THEN used.hour_minor ELSE 0 END + p_amount <= per_hour
    AND CASE WHEN used.day >= EXCLUDED.day THEN used.day_minor ELSE 0 END + p_amount <= per_day;
  RETURN FOUND;
END
$$;
