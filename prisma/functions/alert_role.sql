-- Alerts every admin to a new role, in the transaction that stores it, whoever writes it. In a sandbox a name has every
-- role at its first use, and nobody is alerted.
CREATE OR REPLACE FUNCTION alert_role() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM staff_policy WHERE environment = 'production') THEN
    INSERT INTO alert (id, kind, object_id, detail, occasion, created_at, caused_by, gained_by)
    VALUES ('alr_' || replace(gen_random_uuid()::text, '-', ''), 'ROLE_GRANTED', NEW.staff_handle,
      NEW.staff_handle || ' is ' || NEW.role || ' now, by ' || NEW.granted_by,
      NEW.role || '@' || NEW.operation_id || ' ' || clock_timestamp()::text, now(), NEW.granted_by,
      NEW.staff_handle);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER staff_role_alerted AFTER INSERT ON staff_role
  FOR EACH ROW EXECUTE FUNCTION alert_role();
