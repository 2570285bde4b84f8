-- From when a passkey signs acts is decided here, whoever writes its row: a stolen session, or a code in the wrong
-- hands, makes no key that moves money at once. In production a key that was made with somebody's code waits for a
-- second person; every other new key waits as long as staff_policy says, or for a second person. Neither its person
-- nor who gave the code is that second person. In production it is made with a code that is used up for it, or signed
-- with a passkey of its person, and removed by its person's signature, or by a request of two people, used up for it.
CREATE OR REPLACE FUNCTION keep_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  policy        staff_policy%ROWTYPE;
  -- How an act names the passkey (markOfPasskey).
  mark          CONSTANT text := encode(sha256(convert_to(NEW.id, 'UTF8')), 'hex');
  people_change CONSTANT text[] :=
    ARRAY['counter', 'last_used_at', 'removed_at', 'removed_by', 'confirmed_by', 'signs_from'];
BEGIN
  SELECT * INTO STRICT policy FROM staff_policy;
  IF TG_OP = 'INSERT' THEN
    IF policy.environment = 'production' AND NOT (CASE WHEN NEW.issued_by IS NULL
      THEN has_signed(NEW.staff_handle, 'passkey.add', mark)
      ELSE EXISTS (
        SELECT FROM staff_sign_in_link AS link
        WHERE link.staff_handle = NEW.staff_handle AND link.created_by = NEW.issued_by AND link.purpose = 'enrolment'
          AND link.used_at IS NOT NULL AND link.xmin = pg_current_xact_id()::xid
      ) END) THEN
      RAISE EXCEPTION 'a passkey is made with a code, or signed with another one' USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.confirmed_by := NULL;
    NEW.signs_from := CASE
      -- The first people of the installation have nobody yet who could confirm theirs.
      WHEN policy.environment = 'production' AND NEW.issued_by IS NOT NULL AND NOT (NEW.issued_by = '(installation)'
        AND EXISTS (SELECT FROM staff WHERE handle = NEW.staff_handle AND created_by = '(installation)')) THEN NULL
      -- The clock of who wrote the row may be behind.
      WHEN policy.wait_hours = 0 THEN least(NEW.created_at, now())
      ELSE now() + make_interval(hours => policy.wait_hours)
    END;
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - people_change IS DISTINCT FROM to_jsonb(OLD) - people_change
    OR (OLD.confirmed_by IS NOT NULL AND NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by) THEN
    RAISE EXCEPTION 'a passkey never changes, and is confirmed once' USING ERRCODE = 'restrict_violation';
  END IF;
  IF policy.environment = 'production' AND OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL
    AND NOT has_signed(OLD.staff_handle, 'passkey.remove', mark)
    AND NOT EXISTS (SELECT FROM decided_by_two('passkey_reset', jsonb_build_object('handle', OLD.staff_handle))) THEN
    RAISE EXCEPTION 'a passkey is removed by its person, or by two people' USING ERRCODE = 'restrict_violation';
  END IF;
  NEW.signs_from := CASE WHEN NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by THEN least(OLD.signs_from, now())
    ELSE OLD.signs_from END;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER staff_passkey_kept BEFORE INSERT OR UPDATE ON staff_passkey
  FOR EACH ROW EXECUTE FUNCTION keep_passkey();
