-- The public key of the passkey that a signed act names, if the person has it, had it then, and it was no new one.
CREATE OR REPLACE FUNCTION key_of_act(p_handle text, p_signature jsonb, p_created_at timestamptz) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT public_key FROM staff_passkey
  WHERE id = p_signature ->> 'credentialId' AND staff_handle = p_handle
    AND removed_at IS NULL AND created_at <= p_created_at AND signs_from <= p_created_at
$$;
