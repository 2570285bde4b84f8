-- The alert of a new passkey reaches every admin: an attacker who takes the panel over and plants a passkey cannot end
-- its alert before anybody reads it. Its text never changes, it stays open for twelve hours, and the person whose
-- passkey it is cannot resolve it. Hours and text are those of domain/alerts.ts.
CREATE OR REPLACE FUNCTION keep_passkey_alert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  people_write CONSTANT text[] := ARRAY['assigned_to', 'resolved_at', 'resolved_by', 'resolution'];
BEGIN
  IF to_jsonb(NEW) - people_write IS DISTINCT FROM to_jsonb(OLD) - people_write THEN
    RAISE EXCEPTION 'the alert of a new passkey never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.resolved_at IS NOT DISTINCT FROM OLD.resolved_at THEN
    RETURN NEW;
  END IF;
  IF now() < OLD.created_at + interval '12 hours' THEN
    RAISE EXCEPTION 'the alert of a new passkey stays open for twelve hours' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.resolved_by IS NULL OR OLD.detail = NEW.resolved_by || ' has a new passkey' THEN
    RAISE EXCEPTION 'another person resolves the alert of a new passkey' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER alert_passkey_kept BEFORE UPDATE ON alert
  FOR EACH ROW WHEN (OLD.kind = 'PASSKEY_ADDED') EXECUTE FUNCTION keep_passkey_alert();
