-- Replaces sealed values by the same values sealed with another key, in one column whose name ends with `_sealed`: the
-- only way in which a role may overwrite it. Row by row `p_keys` has the values of `p_key_columns` as a JSON array
-- of texts (bytes are hexadecimal). A row that no longer holds the old value does not change. Returns the number of
-- changed rows. A seal is a byte for the format, the length of the key's id in a byte, that id, and what was sealed
-- with a nonce and a tag: a value of another length or format is refused.
CREATE OR REPLACE FUNCTION reseal(
  p_table text, p_column text, p_key_columns text[], p_keys text[], p_old bytea[], p_fresh bytea[]
) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  row_is_at text;
  changed   integer;
BEGIN
  IF right(p_column, 7) <> '_sealed' THEN
    RAISE EXCEPTION '% is no sealed column', p_column USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (
    SELECT FROM unnest(p_old, p_fresh) AS change (old, fresh)
    WHERE (get_byte(fresh, 0) = get_byte(old, 0)
      AND length(fresh) - get_byte(fresh, 1) = length(old) - get_byte(old, 1)
      AND substring(fresh FROM 3 FOR get_byte(fresh, 1)) <> substring(old FROM 3 FOR get_byte(old, 1))) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'a value is not the same one, sealed with another key' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT string_agg(format(
    CASE format_type(atttypid, NULL) WHEN 'bytea' THEN 'sealed.%I = decode(change.key::json ->> %s, ''hex'')'
      ELSE 'sealed.%I = change.key::json ->> %s' END, part.name, part.position - 1), ' AND ')
  INTO STRICT row_is_at
  FROM unnest(p_key_columns) WITH ORDINALITY AS part (name, position)
  JOIN pg_attribute ON attrelid = format('public.%I', p_table)::regclass AND attname = part.name;
  -- The guard of append-only tables requires this.
  PERFORM set_config('gateway.resealing', 'on', true);
  EXECUTE format('UPDATE public.%I AS sealed SET %I = change.fresh
    FROM unnest($1, $2, $3) AS change (key, old, fresh) WHERE %s AND sealed.%I = change.old',
    p_table, p_column, row_is_at, p_column) USING p_keys, p_old, p_fresh;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM set_config('gateway.resealing', 'off', true);
  RETURN changed;
END
$$;
