-- Appends what a person did with a payment or a change of rules to the audit trail, in the statement that stores it;
-- nothing if `p_act` is null. Its key has a repeated statement append it once. `p_act` is {"key", "at", "person",
-- "action", "operationId", "subject", "detail"}.
CREATE OR REPLACE FUNCTION audit_act(p_act jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF p_act IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN append_audit(p_act ->> 'key', (p_act ->> 'at')::timestamptz, p_act ->> 'person', p_act ->> 'action',
    p_act ->> 'operationId', p_act ->> 'subject', p_act ->> 'detail');
END
$$;
