-- Deletes what is kept about requests, also to providers, and about orders that were refused, when it is past its
-- retention: at most `p_rows` rows of each table, one process at a time. Returns the number of deleted rows.
-- Nonces are kept for 660 s: a request signed 300 s ahead of the clock stays acceptable for 600 s.
CREATE OR REPLACE FUNCTION sweep_requests(p_rows integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  swept integer;
  total integer := 0;
BEGIN
  PERFORM FROM named_lock WHERE name = 'sweep_requests' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  DELETE FROM nonce WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM nonce WHERE seen_at < now() - interval '660 seconds' ORDER BY seen_at LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM idempotency_key WHERE created_at < now() - interval '30 days' AND ctid = ANY (ARRAY (
    SELECT ctid FROM idempotency_key WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  -- A bucket whose time has passed is full: the same as no row.
  DELETE FROM rate_bucket WHERE theoretical_arrival_time < now() - interval '1 minute' AND ctid = ANY (ARRAY (
    SELECT ctid FROM rate_bucket WHERE theoretical_arrival_time < now() - interval '1 minute' LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM signature_failures WHERE failed_at[cardinality(failed_at)] < now() - interval '1 minute'
    AND ctid = ANY (ARRAY (
      SELECT ctid FROM signature_failures
      WHERE failed_at[cardinality(failed_at)] < now() - interval '1 minute' LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM player_hit WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM player_hit WHERE at < now() - interval '1 hour' LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM refused_order WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM refused_order WHERE refused_at < now() - interval '30 days' ORDER BY refused_at LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM request_log WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM (SELECT ctid, received_at FROM request_log ORDER BY id LIMIT p_rows) AS oldest
    WHERE received_at < now() - interval '3 days'));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM provider_exchange WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM (SELECT ctid, stored_at FROM provider_exchange ORDER BY id LIMIT p_rows) AS oldest
    WHERE stored_at < now() - interval '30 days'));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  RETURN total;
END
$$;
