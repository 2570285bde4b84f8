-- Sums of a player's payments, of all time and per UTC day, kept by the statement that writes the payment: a decision
-- reads one row instead of every payment. Amounts follow a payment's phase: a payment that becomes void is subtracted.
-- Of a settled payment, a part that went back is subtracted when it goes.
CREATE OR REPLACE FUNCTION keep_player_sums() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := CASE WHEN TG_OP = 'INSERT' THEN 'void' ELSE phase_of(OLD.status) END;
  after text := phase_of(NEW.status);
  settled_before numeric := CASE WHEN before = 'settled' THEN OLD.amount_minor - OLD.returned_minor ELSE 0 END;
  settled_after numeric := CASE WHEN after = 'settled' THEN NEW.amount_minor - NEW.returned_minor ELSE 0 END;
BEGIN
  IF TG_OP = 'INSERT' OR (OLD.created_at = NEW.created_at AND OLD.amount_minor = NEW.amount_minor) THEN
    PERFORM add_to_player_sums(TG_TABLE_NAME, NEW.operation_id, NEW.player_ref, NEW.currency, NEW.created_at,
      NEW.amount_minor, (after <> 'void')::integer - (before <> 'void')::integer,
      (after = 'settled')::integer - (before = 'settled')::integer, settled_after - settled_before);
  ELSE
    PERFORM add_to_player_sums(TG_TABLE_NAME, OLD.operation_id, OLD.player_ref, OLD.currency, OLD.created_at,
      OLD.amount_minor, -(before <> 'void')::integer, -(before = 'settled')::integer, -settled_before);
    PERFORM add_to_player_sums(TG_TABLE_NAME, NEW.operation_id, NEW.player_ref, NEW.currency, NEW.created_at,
      NEW.amount_minor, (after <> 'void')::integer, (after = 'settled')::integer, settled_after);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER deposit_sums
  AFTER INSERT OR UPDATE OF status, created_at, amount_minor, returned_minor ON deposit
  FOR EACH ROW EXECUTE FUNCTION keep_player_sums();
CREATE OR REPLACE TRIGGER withdrawal_sums
  AFTER INSERT OR UPDATE OF status, created_at, amount_minor, returned_minor ON withdrawal
  FOR EACH ROW EXECUTE FUNCTION keep_player_sums();
