-- A break-glass session can begin only at the command line. The transaction that stores it alerts every admin.
CREATE OR REPLACE FUNCTION alert_break_glass() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- Who connected: the function runs as its owner.
  IF NOT pg_has_role(session_user, 'gateway_command', 'USAGE') THEN
    RAISE EXCEPTION 'a break-glass session begins at the command line' USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO alert (id, kind, object_id, detail, created_at, caused_by)
  VALUES ('alr_' || replace(gen_random_uuid()::text, '-', ''), 'BREAK_GLASS', NEW.id,
    NEW.staff_handle || ' broke the glass, ticket ' || NEW.ticket, now(), NEW.staff_handle);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER staff_session_break_glass_alerted AFTER INSERT ON staff_session
  FOR EACH ROW WHEN (NEW.means = 'break_glass') EXECUTE FUNCTION alert_break_glass();
