-- Alerts every admin to a new passkey, in the transaction that stores it: a passkey stored under another person's name
-- could sign as that person.
CREATE OR REPLACE FUNCTION alert_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO alert (id, kind, object_id, detail, created_at, gained_by)
  VALUES ('alr_' || replace(gen_random_uuid()::text, '-', ''), 'PASSKEY_ADDED', NEW.id,
    NEW.staff_handle || ' has a new passkey', now(), NEW.staff_handle);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER staff_passkey_alerted AFTER INSERT ON staff_passkey
  FOR EACH ROW EXECUTE FUNCTION alert_passkey();
