-- Adds to a player's sums what a payment changes. `p_counted` and `p_settled`: by how many payments;
-- `p_settled_minor`: by how much money that came or went, and stayed. `days` holds the last forty UTC days up to the newest: more than any
-- window asks for. What is older is in the totals only.
CREATE OR REPLACE FUNCTION add_to_player_sums(
  p_kind text, p_operation_id text, p_player_ref text, p_currency text, p_created_at timestamptz, p_amount_minor numeric,
  p_counted integer, p_settled integer, p_settled_minor numeric
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today text := to_char(p_created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD');
BEGIN
  IF p_counted = 0 AND p_settled = 0 AND p_settled_minor = 0 THEN
    RETURN;
  END IF;
  INSERT INTO player_sum AS held (operation_id, player_ref, kind, currency, counted_minor, settled_minor, settled_count,
    days)
  VALUES (p_operation_id, p_player_ref, p_kind, p_currency, p_amount_minor * p_counted, p_settled_minor, p_settled,
    jsonb_build_object(today, jsonb_build_array(p_amount_minor * p_counted, p_counted)))
  ON CONFLICT (operation_id, player_ref, kind, currency) DO UPDATE SET
    counted_minor = held.counted_minor + EXCLUDED.counted_minor,
    settled_minor = held.settled_minor + EXCLUDED.settled_minor,
    settled_count = held.settled_count + EXCLUDED.settled_count,
    days = CASE WHEN p_counted = 0 THEN held.days
      ELSE with_day(held.days, today, p_amount_minor * p_counted, p_counted) END;
END
$$;
