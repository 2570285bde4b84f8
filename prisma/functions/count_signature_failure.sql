-- Counts a signature failure of a source address in a sliding minute.
-- Returns 0, or the whole seconds until a failure is under the limit again. A failure over the limit is not recorded,
-- so waiting always helps.
CREATE OR REPLACE FUNCTION count_signature_failure(p_source text, p_limit integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
BEGIN
  INSERT INTO signature_failures (source, failed_at) VALUES (p_source, '{}') ON CONFLICT (source) DO NOTHING;
  SELECT failed_at INTO recent FROM signature_failures WHERE source = p_source FOR UPDATE;
  SELECT coalesce(array_agg(at ORDER BY at), '{}') INTO recent
  FROM unnest(recent) AS at WHERE at > clock_timestamp() - interval '60 seconds';
  IF cardinality(recent) >= p_limit THEN
    RETURN greatest(1, ceil(extract(epoch FROM
      recent[cardinality(recent) - p_limit + 1] + interval '60 seconds' - clock_timestamp())))::integer;
  END IF;
  -- An upsert: the sweep may have deleted the row in between.
  INSERT INTO signature_failures (source, failed_at) VALUES (p_source, ARRAY[clock_timestamp()])
  ON CONFLICT (source) DO UPDATE SET failed_at = recent || clock_timestamp();
  RETURN 0;
END
$$;
