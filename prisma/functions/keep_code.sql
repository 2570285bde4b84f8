-- A code in somebody else's name is given by the command, and at the installation, alone. The panel's role only makes codes for the command line
-- of the person who asks.
CREATE OR REPLACE FUNCTION keep_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.purpose = 'command' THEN
    IF NEW.created_by <> NEW.staff_handle THEN
      RAISE EXCEPTION 'a code for the command line is made by its person' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF NOT pg_has_role(session_user, 'gateway_command', 'USAGE')
    AND NOT pg_has_role(session_user, 'gateway_setup', 'USAGE') THEN
    RAISE EXCEPTION 'a code is given by the command' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER staff_sign_in_link_kept BEFORE INSERT ON staff_sign_in_link
  FOR EACH ROW EXECUTE FUNCTION keep_code();
