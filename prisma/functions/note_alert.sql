-- Every alert is written with the notice that it is to be sent on, whoever raises it. What is sent to whom, the process
-- that takes the notice knows from its configuration.
CREATE OR REPLACE FUNCTION note_alert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO alert_notice (alert_id) VALUES (NEW.id);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER alert_noted AFTER INSERT ON alert
  FOR EACH ROW EXECUTE FUNCTION note_alert();
