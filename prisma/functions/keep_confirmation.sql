-- In production a second person confirms a passkey by a signed approval of the request that shows its fingerprint.
-- Looked at when the transaction ends, because the act is stored after what it does.
CREATE OR REPLACE FUNCTION keep_confirmation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM staff_policy WHERE environment = 'production') AND NOT EXISTS (
    SELECT FROM approval_request AS request
    WHERE request.kind = 'passkey' AND request.status = 'approved' AND request.decided_by = NEW.confirmed_by
      AND request.payload ->> 'person' = NEW.staff_handle
      AND replace(request.payload ->> 'fingerprint', ' ', '') = encode(sha256(NEW.public_key), 'hex')
      AND has_signed(request.decided_by, 'access.approve', request.id)
  ) THEN
    RAISE EXCEPTION 'a second person confirms a passkey by a signed approval' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
$$;

-- CREATE OR REPLACE does not know constraint triggers.
DROP TRIGGER IF EXISTS staff_passkey_confirmation_kept ON staff_passkey;
CREATE CONSTRAINT TRIGGER staff_passkey_confirmation_kept AFTER UPDATE ON staff_passkey
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by) EXECUTE FUNCTION keep_confirmation();
