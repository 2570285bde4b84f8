-- If a new version of an operation's rules omits the engine's own thresholds, those in force stay.
CREATE OR REPLACE FUNCTION keep_engine_rules() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.engine IS NULL THEN
    SELECT r.engine INTO NEW.engine FROM rule_set_version r
    WHERE r.operation_id = NEW.operation_id ORDER BY r.version DESC LIMIT 1;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER rule_set_version_keep_engine BEFORE INSERT ON rule_set_version
  FOR EACH ROW EXECUTE FUNCTION keep_engine_rules();
