-- A code for the command line is made by its person. Every other code is given by the command, or at the installation;
-- in production it makes a first passkey, and is given by a request of two people, used up for it, and in the name of
-- whoever gives it: by that name it is known who may not confirm the passkey. The installation gives one to each of the
-- people that it makes.
CREATE OR REPLACE FUNCTION keep_code() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  of_person CONSTANT jsonb := jsonb_build_object('handle', NEW.staff_handle);
BEGIN
  IF NEW.purpose = 'command' THEN
    IF NEW.created_by <> NEW.staff_handle THEN
      RAISE EXCEPTION 'a code for the command line is made by its person' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  -- Who connected: the function runs as its owner.
  IF NOT pg_has_role(session_user, 'gateway_command', 'USAGE')
    AND NOT pg_has_role(session_user, 'gateway_setup', 'USAGE') THEN
    RAISE EXCEPTION 'a code is given by the command' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM staff_policy WHERE environment = 'production') THEN
    RETURN NEW;
  END IF;
  IF NEW.purpose <> 'enrolment' OR NOT (
    (NEW.created_by = '(installation)' AND is_being_installed(NEW.staff_handle))
    OR (
      EXISTS (
        SELECT FROM unnest(ARRAY['person', 'sign_in_code', 'passkey_reset']) AS asked, decided_by_two(asked, of_person)
      )
      AND EXISTS (
        SELECT FROM staff_act AS act
        WHERE act.subject_id = NEW.staff_handle AND act.kind = 'staff.manage' AND act.staff_handle = NEW.created_by
          AND act.xmin = pg_current_xact_id()::xid
      )
    )
  ) THEN
    RAISE EXCEPTION 'two people decide who is given a code' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER staff_sign_in_link_kept BEFORE INSERT ON staff_sign_in_link
  FOR EACH ROW EXECUTE FUNCTION keep_code();
