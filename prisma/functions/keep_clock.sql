-- An operation's clock goes forward only, at most 400 days ahead of real time, and each change has a later revision.
-- Two clocks differ by milliseconds: the time that is set was read before.
CREATE OR REPLACE FUNCTION keep_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.clock IS NULL OR (NEW.clock ->> 'revision')::int <= coalesce((OLD.clock ->> 'revision')::int, 0)
     OR operation_time(NEW.clock) < operation_time(OLD.clock) - interval '2 seconds'
     OR operation_time(NEW.clock) > clock_timestamp() + interval '400 days' THEN
    RAISE EXCEPTION 'operation: its clock goes forward only' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER operation_clock_forward BEFORE UPDATE OF clock ON operation
  FOR EACH ROW WHEN (NEW.clock IS DISTINCT FROM OLD.clock) EXECUTE FUNCTION keep_clock();
