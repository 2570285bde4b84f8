-- The installation's role writes people, their roles and their codes only while nobody is an admin, and no other role
-- than this one. Both first admins are made in one transaction, so what it has itself written does not count. Whoever
-- has the command's role is not bound by this.
CREATE OR REPLACE FUNCTION keep_first_admins() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF pg_has_role(session_user, 'gateway_setup', 'USAGE') AND NOT pg_has_role(session_user, 'gateway_command', 'USAGE')
    AND ((TG_TABLE_NAME = 'staff_role' AND to_jsonb(NEW) ->> 'role' <> 'admin') OR EXISTS (
      SELECT FROM staff_role WHERE role = 'admin' AND xmin <> pg_current_xact_id()::xid
    )) THEN
    RAISE EXCEPTION 'the installation makes the first admins, once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE OR REPLACE TRIGGER staff_first_kept BEFORE INSERT ON staff
  FOR EACH ROW EXECUTE FUNCTION keep_first_admins();

CREATE OR REPLACE TRIGGER staff_role_first_kept BEFORE INSERT OR DELETE ON staff_role
  FOR EACH ROW EXECUTE FUNCTION keep_first_admins();

CREATE OR REPLACE TRIGGER staff_sign_in_link_first_kept BEFORE INSERT OR DELETE ON staff_sign_in_link
  FOR EACH ROW EXECUTE FUNCTION keep_first_admins();
