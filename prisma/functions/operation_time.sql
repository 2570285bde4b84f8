-- The time of an operation by its clock (`operation.clock`): the database's, moved by its offset, or standing still. An
-- expression that PostgreSQL inlines: without a clock it is clock_timestamp().
CREATE OR REPLACE FUNCTION operation_time(p_clock jsonb) RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN p_clock IS NULL THEN clock_timestamp()
    ELSE coalesce((p_clock ->> 'frozenAt')::timestamptz,
      clock_timestamp() + (p_clock ->> 'offsetMs')::bigint * interval '1 millisecond') END
$$;
