-- An event never changes, but it may be resealed with another key: by a transaction that sets `gateway.resealing`, and
-- only if nothing but the sealed body changes.
CREATE OR REPLACE FUNCTION refuse_change_except_resealing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('gateway.resealing', true) = 'on'
     AND to_jsonb(NEW) - 'body_sealed' = to_jsonb(OLD) - 'body_sealed' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER event_append_only BEFORE UPDATE OR DELETE ON event
  FOR EACH ROW EXECUTE FUNCTION refuse_change_except_resealing();
