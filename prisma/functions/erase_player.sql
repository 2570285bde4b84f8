-- Erases a person from a player's row and from the hashes of the player's payments, and marks the player as erased. The
-- caller replaces what is sealed with `erase_sealed`. Other payments of the player wait for the transaction.
-- Hashes that a row must have become random, so that nothing matches them. Returns 'erased', 'no_such_player', or
-- 'payments_open' if a payment is not in a final state.
CREATE OR REPLACE FUNCTION erase_player(
  p_operation text, p_player text, p_document bytea, p_final_deposits text[], p_final_withdrawals text[]
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM player WHERE operation_id = p_operation AND external_ref = p_player FOR UPDATE;
  IF NOT FOUND THEN
    RETURN 'no_such_player';
  END IF;
  IF EXISTS (SELECT FROM deposit
             WHERE operation_id = p_operation AND player_ref = p_player AND status <> ALL (p_final_deposits))
     OR EXISTS (SELECT FROM withdrawal
                WHERE operation_id = p_operation AND player_ref = p_player AND status <> ALL (p_final_withdrawals)) THEN
    RETURN 'payments_open';
  END IF;
  UPDATE player SET document_hash = sha256(gen_random_uuid()::text::bytea), document_sealed = p_document,
    erased_at = coalesce(erased_at, now()), histories_erased_at = NULL
  WHERE operation_id = p_operation AND external_ref = p_player;
  UPDATE deposit SET payer_document_hash = NULL
  WHERE operation_id = p_operation AND player_ref = p_player AND payer_document_hash IS NOT NULL;
  UPDATE withdrawal SET destination_hash = sha256(gen_random_uuid()::text::bytea), ip_hash = NULL, device_hash = NULL
  WHERE operation_id = p_operation AND player_ref = p_player;
  DELETE FROM player_trait WHERE operation_id = p_operation AND player_ref = p_player;
  RETURN 'erased';
END
$$;
