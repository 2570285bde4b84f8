-- An alert of abuse reaches others than the one whom it is about: its text never changes, the person who caused it and
-- the one who gained by it neither look after it nor resolve it, and no process resolves it without naming a person.
-- That of a new passkey stays open for twelve hours, so that every admin can read it. Kinds and hours are those of
-- domain/abuse-alerts.ts (a test compares).
CREATE OR REPLACE FUNCTION keep_abuse_alert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  abuse CONSTANT text[] := ARRAY[
    'ACT_NOT_SIGNED', 'AUDIT_CHAIN_BROKEN', 'BREAK_GLASS', 'DECISION_NOT_REPRODUCED', 'NOT_IN_THE_BOOKS',
    'PASSKEY_ADDED', 'ROLE_GRANTED', 'STEP_FORGED', 'UNPROVEN_ORDER', 'WORKFLOW_IMPOSTOR'
  ];
  people_write CONSTANT text[] := ARRAY['assigned_to', 'resolved_at', 'resolved_by', 'resolution'];
BEGIN
  IF OLD.kind <> ALL (abuse) THEN
    RETURN NEW;
  END IF;
  IF OLD.resolved_at IS NOT NULL OR to_jsonb(NEW) - people_write IS DISTINCT FROM to_jsonb(OLD) - people_write THEN
    RAISE EXCEPTION 'an alert of abuse never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.assigned_to IS DISTINCT FROM OLD.assigned_to AND NEW.assigned_to IN (OLD.caused_by, OLD.gained_by) THEN
    RAISE EXCEPTION 'another person looks after an alert of abuse' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.resolved_at IS NULL THEN
    RETURN NEW;
  END IF;
  IF OLD.kind = 'PASSKEY_ADDED' AND now() < OLD.created_at + interval '12 hours' THEN
    RAISE EXCEPTION 'the alert of a new passkey stays open for twelve hours' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.resolved_by IS NULL OR NEW.resolved_by IN (OLD.caused_by, OLD.gained_by) THEN
    RAISE EXCEPTION 'another person resolves an alert of abuse' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER alert_abuse_kept BEFORE UPDATE ON alert
  FOR EACH ROW EXECUTE FUNCTION keep_abuse_alert();
