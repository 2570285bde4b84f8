-- The people who decide nothing together with this person for now: as long as a person or a role of theirs is new
-- (staff_policy), who created the person or gave the role, and whoever was created or given a role by the same one. One
-- human could otherwise be two people: by making the second. Empty where nothing waits.
CREATE OR REPLACE FUNCTION people_close_to(person text) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH since AS (
    SELECT now() - make_interval(hours => wait_hours) AS at FROM staff_policy WHERE wait_hours > 0
  ), made AS (
    SELECT handle, created_by AS maker, created_at AS at FROM staff WHERE created_by <> handle
    UNION ALL SELECT staff_handle, granted_by, granted_at FROM staff_role WHERE granted_by <> staff_handle
  ), newly AS (
    SELECT made.handle, made.maker FROM made, since WHERE made.at > since.at
  )
  SELECT coalesce(array_agg(DISTINCT close.handle), '{}') FROM (
    SELECT maker AS handle FROM newly WHERE newly.handle = person
    UNION ALL SELECT newly.handle FROM newly WHERE maker = person
    -- Of two people who were made by the same one, one is new.
    UNION ALL SELECT made.handle FROM newly JOIN made ON made.maker = newly.maker WHERE newly.handle = person
    UNION ALL SELECT newly.handle FROM made JOIN newly ON newly.maker = made.maker WHERE made.handle = person
  ) AS close
  WHERE close.handle <> person
$$;
