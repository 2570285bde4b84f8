-- Whether a person may do an act that is performed at once, in an operation or, without one, in a deployment of this
-- environment. A signature of a passkey that signs nothing yet is none (keep_passkey).
CREATE OR REPLACE FUNCTION is_access_act_permitted(
  p_handle text, p_session_id text, p_means text, p_credential_id text, p_operation_id text, p_environment text,
  p_rules jsonb
) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN is_role_held(p_handle, p_session_id, p_means, p_operation_id, p_rules)
    AND p_rules -> 'means' -> coalesce((SELECT environment FROM operation WHERE id = p_operation_id), p_environment)
      ? p_means
    AND NOT EXISTS (
      SELECT FROM staff_passkey WHERE id = p_credential_id AND coalesce(signs_from > now(), TRUE)
    );
END
$$;
