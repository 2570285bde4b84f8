-- Records every version of an operation's rules in the audit trail, in the version's own transaction.
CREATE OR REPLACE FUNCTION audit_rule_set() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  engine_set boolean := NEW.engine IS NOT NULL AND NEW.engine <> '{}';
  digest     text    := encode(sha256(convert_to(NEW.rules::text || coalesce(NEW.engine::text, ''), 'UTF8')), 'hex');
BEGIN
  PERFORM append_audit('rules:' || NEW.operation_id || ':' || NEW.version, clock_timestamp(), NEW.created_by,
    'rules.set', NEW.operation_id, NEW.operation_id,
    '{"engine_set":' || engine_set || ',"sha256":"' || digest || '","version":' || NEW.version || '}');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER rule_set_version_audited AFTER INSERT ON rule_set_version
  FOR EACH ROW EXECUTE FUNCTION audit_rule_set();
