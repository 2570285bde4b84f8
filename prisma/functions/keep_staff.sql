-- A person's identity and a person's acts never change. An act is used up once. A person is disabled, never removed.
CREATE OR REPLACE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.consumed_at IS NULL
     AND to_jsonb(NEW) - 'consumed_at' - 'outcome' = to_jsonb(OLD) - 'consumed_at' - 'outcome' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'an act of a person is used up once, and never changes' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER staff_act_kept BEFORE UPDATE OR DELETE ON staff_act
  FOR EACH ROW EXECUTE FUNCTION keep_staff_act();

CREATE OR REPLACE FUNCTION keep_staff_handle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.handle, NEW.handle_folded) = (OLD.handle, OLD.handle_folded) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a handle never changes' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE OR REPLACE TRIGGER staff_handle_kept BEFORE UPDATE OR DELETE ON staff
  FOR EACH ROW EXECUTE FUNCTION keep_staff_handle();
