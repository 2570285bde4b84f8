-- Until when an attempt to deliver an event, which begins or is planned in so many seconds, is left to whoever makes
-- it; then any process may take it. One takes at most ten seconds, and is stored in a few more.
CREATE OR REPLACE FUNCTION attempt_left_until(p_seconds double precision) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT now() + make_interval(secs => p_seconds + 25)
$$;
