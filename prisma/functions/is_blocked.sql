-- Whether a player, document or PIX key is on the block list of an operation. The checks before a payout and the
-- permission to send it look at the same entries.
CREATE OR REPLACE FUNCTION is_blocked(p_operation_id text, p_kind text, p_value_hash bytea) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM list_entry
    WHERE operation_id = p_operation_id AND list = 'block' AND kind = p_kind AND value_hash = p_value_hash
      AND coalesce(expires_at > now(), TRUE)
  )
$$;
