-- Takes one token of a bucket (generic cell rate algorithm: `p_burst` at once, then `p_per_second`).
-- Returns 0, or the whole seconds until a token is available. A refused request takes no token.
CREATE OR REPLACE FUNCTION take_token(p_bucket text, p_per_second double precision, p_burst double precision)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  step      interval := make_interval(secs => 1 / p_per_second);
  tolerance interval := make_interval(secs => (p_burst - 1) / p_per_second);
  free_at   timestamptz;
BEGIN
  -- The clock is read after the row is locked, so that waiting for the lock costs no token.
  INSERT INTO rate_bucket AS b (bucket, theoretical_arrival_time) VALUES (p_bucket, clock_timestamp() + step)
  ON CONFLICT (bucket) DO UPDATE
    SET theoretical_arrival_time = greatest(b.theoretical_arrival_time, clock_timestamp()) + step
    WHERE b.theoretical_arrival_time - tolerance <= clock_timestamp();
  IF FOUND THEN
    RETURN 0;
  END IF;
  SELECT b.theoretical_arrival_time - tolerance INTO free_at FROM rate_bucket b WHERE b.bucket = p_bucket;
  RETURN greatest(1, ceil(extract(epoch FROM free_at - clock_timestamp())))::integer;
END
$$;
