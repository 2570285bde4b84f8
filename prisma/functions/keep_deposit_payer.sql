-- The payers of all of a player's deposits.
CREATE OR REPLACE FUNCTION keep_deposit_payer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO player_trait (operation_id, player_ref, kind, value_hash, first_sequence)
  VALUES (NEW.operation_id, NEW.player_ref, 'payer', NEW.payer_document_hash, NEW.sequence)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER deposit_payer AFTER INSERT OR UPDATE OF payer_document_hash ON deposit
  FOR EACH ROW WHEN (NEW.payer_document_hash IS NOT NULL) EXECUTE FUNCTION keep_deposit_payer();
