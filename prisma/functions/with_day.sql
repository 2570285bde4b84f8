-- The sums of days, `{"2026-11-22": [minor, count]}`, with a change to one of them. A day with a zero sum stays:
-- the newest day decides which days are too old.
CREATE OR REPLACE FUNCTION with_day(p_days jsonb, p_day text, p_minor numeric, p_count integer)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(day, jsonb_build_array(minor, count))
  FROM (
    SELECT day, sum(minor) AS minor, sum(count) AS count, max(max(day)) OVER () AS newest
    FROM (
      SELECT key, (value ->> 0)::numeric, (value ->> 1)::integer FROM jsonb_each(p_days)
      UNION ALL SELECT p_day, p_minor, p_count
    ) AS part (day, minor, count)
    GROUP BY day
  ) AS summed
  WHERE day::date > newest::date - 40
$$;
