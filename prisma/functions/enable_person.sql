-- Lets a disabled person in again, which no role may do by an update (keep_ended.sql). In production it takes a
-- request of two people that was decided after the person was disabled (keep_person.sql). Returns whether the person
-- was enabled.
CREATE OR REPLACE FUNCTION enable_person(p_handle text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE staff SET disabled_at = NULL WHERE handle = p_handle AND disabled_at IS NOT NULL;
  RETURN FOUND;
END
$$;
