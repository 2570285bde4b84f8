-- Uses up the stored act of a person that a statement performs, and answers whether it may be performed; TRUE if the
-- statement performs none (`p_act` is null). The caller has locked the subject. SQL cannot verify a signature: the step
-- that read the act has done so (readAct of store/staff/acts.ts). `p_act` is {"id", "kind", "others", "digest",
-- "rules"}: `others` have decided before, and the digest is that of the report which the person approved.
CREATE OR REPLACE FUNCTION use_act(p_act jsonb, p_operation_id text, p_subject_id text, p_version integer)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  others text[] := ARRAY(SELECT jsonb_array_elements_text(p_act -> 'others'));
BEGIN
  IF p_act IS NULL THEN
    RETURN TRUE;
  END IF;
  UPDATE staff_act AS act SET consumed_at = now(), outcome = 'done'
  FROM operation
  WHERE act.id = p_act ->> 'id' AND act.kind = p_act ->> 'kind' AND act.subject_id = p_subject_id
    AND act.operation_id = p_operation_id AND operation.id = act.operation_id
    AND act.subject_version = p_version
    AND act.subject_digest IS NOT DISTINCT FROM p_act ->> 'digest'
    AND act.consumed_at IS NULL AND act.expires_at > now()
    AND act.staff_handle <> ALL(others)
    AND NOT people_close_to(act.staff_handle) && others
    AND NOT (act.means = 'break_glass' AND cardinality(others) > 0)
    AND is_role_held(act.staff_handle, act.session_id, act.means, act.operation_id, p_act -> 'rules')
    AND p_act -> 'rules' -> 'means' -> operation.environment ? act.means
    AND (act.means <> 'signature' OR key_of_act(act.staff_handle, act.signature, act.created_at) IS NOT NULL);
  RETURN FOUND;
END
$$;
