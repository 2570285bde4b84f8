-- In production nobody is created, enabled again or given an account of the identity provider without a request of two
-- people, used up for it, whichever role writes the row. Only the installation makes the first people, in one
-- transaction, before anybody was an admin. A sandbox asks for nothing.
CREATE OR REPLACE FUNCTION keep_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  of_person CONSTANT jsonb := jsonb_build_object('handle', NEW.handle);
BEGIN
  IF NOT EXISTS (SELECT FROM staff_policy WHERE environment = 'production') THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    -- How long somebody is new is not for who writes the row to say.
    NEW.created_at := now();
    IF NOT (
      EXISTS (SELECT FROM decided_by_two('person', of_person) AS request WHERE request.requested_by = NEW.created_by)
      OR (NEW.created_by = '(installation)'
        AND NOT EXISTS (SELECT FROM staff WHERE created_by = '(installation)' AND created_at < now()::timestamptz(3))
        AND NOT EXISTS (SELECT FROM staff_role WHERE role = 'admin' AND granted_at < now()::timestamptz(3)))
    ) THEN
      RAISE EXCEPTION 'two people decide who is created' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NOT EXISTS (
    SELECT FROM decided_by_two('person_enable', of_person) AS request WHERE request.decided_at > OLD.disabled_at
  ) THEN
    RAISE EXCEPTION 'two people decide who is enabled again' USING ERRCODE = 'restrict_violation';
  END IF;
  IF num_nonnulls(NEW.oidc_issuer, NEW.oidc_subject) > 0
    AND (TG_OP = 'INSERT' OR (NEW.oidc_issuer, NEW.oidc_subject) IS DISTINCT FROM (OLD.oidc_issuer, OLD.oidc_subject))
    AND NOT EXISTS (
      SELECT FROM decided_by_two('account', of_person || jsonb_build_object('issuer', NEW.oidc_issuer,
        'subject_sha256', encode(sha256(convert_to(NEW.oidc_subject, 'UTF8')), 'hex')))
    ) THEN
    RAISE EXCEPTION 'two people decide which account signs somebody in' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER staff_person_kept BEFORE INSERT OR UPDATE ON staff
  FOR EACH ROW EXECUTE FUNCTION keep_person();

-- In production a role is given by a request of two people, used up for it; the installation gives the people that it
-- makes the role of an admin.
CREATE OR REPLACE FUNCTION keep_role() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM staff_policy WHERE environment = 'production') THEN
    RETURN NEW;
  END IF;
  NEW.granted_at := now();
  IF NOT (
    EXISTS (
      SELECT FROM decided_by_two('role', jsonb_build_object('handle', NEW.staff_handle, 'role', NEW.role,
        'operation', nullif(NEW.operation_id, '*'))) AS request
      WHERE request.requested_by = NEW.granted_by
    )
    OR (NEW.granted_by = '(installation)' AND (NEW.role, NEW.operation_id) = ('admin', '*')
      AND is_being_installed(NEW.staff_handle))
  ) THEN
    RAISE EXCEPTION 'two people decide who has which role' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER staff_role_kept BEFORE INSERT OR UPDATE ON staff_role
  FOR EACH ROW EXECUTE FUNCTION keep_role();

-- Whether the installation makes this person, in this transaction.
CREATE OR REPLACE FUNCTION is_being_installed(p_handle text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM staff
    WHERE handle = p_handle AND created_by = '(installation)' AND created_at = now()::timestamptz(3)
  )
$$;
