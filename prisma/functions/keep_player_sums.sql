-- Sums of a player's payments, of all time and per UTC day, kept by the statement that writes the payment: a decision
-- reads one row instead of every payment. Amounts follow a payment's phase: a payment that becomes void is
-- subtracted.
CREATE OR REPLACE FUNCTION keep_player_sums() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_to_player_sums(TG_TABLE_NAME, NEW.operation_id, NEW.player_ref, NEW.currency, NEW.created_at,
      NEW.amount_minor, 'void', phase_of(NEW.status));
  ELSIF OLD.created_at = NEW.created_at AND OLD.amount_minor = NEW.amount_minor THEN
    PERFORM add_to_player_sums(TG_TABLE_NAME, NEW.operation_id, NEW.player_ref, NEW.currency, NEW.created_at,
      NEW.amount_minor, phase_of(OLD.status), phase_of(NEW.status));
  ELSE
    PERFORM add_to_player_sums(TG_TABLE_NAME, OLD.operation_id, OLD.player_ref, OLD.currency, OLD.created_at,
      OLD.amount_minor, phase_of(OLD.status), 'void');
    PERFORM add_to_player_sums(TG_TABLE_NAME, NEW.operation_id, NEW.player_ref, NEW.currency, NEW.created_at,
      NEW.amount_minor, 'void', phase_of(NEW.status));
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER deposit_sums AFTER INSERT OR UPDATE OF status, created_at, amount_minor ON deposit
  FOR EACH ROW EXECUTE FUNCTION keep_player_sums();
CREATE OR REPLACE TRIGGER withdrawal_sums AFTER INSERT OR UPDATE OF status, created_at, amount_minor ON withdrawal
  FOR EACH ROW EXECUTE FUNCTION keep_player_sums();
