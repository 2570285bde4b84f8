-- Holds up other imports and removals of a provider's statements until the transaction ends: a line's id counts once,
-- over all days. A function, because no role may take an advisory lock itself.
CREATE OR REPLACE FUNCTION lock_statements(p_provider text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('statements:' || p_provider, 0));
END
$$;
