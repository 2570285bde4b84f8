-- Lets a disabled person in again, which no role may do by an update (keep_ended.sql). Where an operation is in
-- production it takes a request of two people, used up for it, that was decided after the person was disabled. Returns
-- whether the person was enabled.
CREATE OR REPLACE FUNCTION enable_person(p_handle text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE staff SET disabled_at = NULL
  WHERE handle = p_handle AND disabled_at IS NOT NULL AND (
    NOT EXISTS (SELECT FROM operation WHERE environment = 'production')
    OR EXISTS (
      SELECT FROM approval_request
      WHERE kind = 'person_enable' AND status = 'used' AND payload ->> 'handle' = p_handle
        AND decided_by <> requested_by AND decided_at > staff.disabled_at
    )
  );
  RETURN FOUND;
END
$$;
