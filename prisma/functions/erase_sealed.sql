-- Replaces sealed values of an erased player's payments by others, in one of six columns. Rows of other players, and
-- of a player who is not erased, do not change. Returns the number of changed rows.
CREATE OR REPLACE FUNCTION erase_sealed(
  p_operation text, p_player text, p_column text, p_keys text[], p_fresh bytea[]
) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed integer;
BEGIN
  IF NOT EXISTS (SELECT FROM player
                 WHERE operation_id = p_operation AND external_ref = p_player AND erased_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the player is not erased' USING ERRCODE = 'restrict_violation';
  END IF;
  -- The guard of append-only tables requires this.
  PERFORM set_config('gateway.resealing', 'on', true);
  CASE p_column
    WHEN 'deposit.request_sealed' THEN
      UPDATE deposit SET request_sealed = fresh FROM unnest(p_keys, p_fresh) AS change (key, fresh)
      WHERE id = key AND operation_id = p_operation AND player_ref = p_player;
    WHEN 'deposit.payer_sealed' THEN
      UPDATE deposit SET payer_sealed = fresh FROM unnest(p_keys, p_fresh) AS change (key, fresh)
      WHERE id = key AND operation_id = p_operation AND player_ref = p_player;
    WHEN 'suspense_item.payer_sealed' THEN
      UPDATE suspense_item SET payer_sealed = fresh FROM unnest(p_keys, p_fresh) AS change (key, fresh)
      WHERE suspense_item.account || ' ' || end_to_end_id = change.key AND operation_id = p_operation AND EXISTS (
        SELECT FROM deposit WHERE deposit.id = object_id AND player_ref = p_player);
    WHEN 'withdrawal.request_sealed' THEN
      UPDATE withdrawal SET request_sealed = fresh FROM unnest(p_keys, p_fresh) AS change (key, fresh)
      WHERE id = key AND operation_id = p_operation AND player_ref = p_player;
    WHEN 'event.body_sealed' THEN
      UPDATE event SET body_sealed = fresh FROM unnest(p_keys, p_fresh) AS change (key, fresh)
      WHERE id = key AND operation_id = p_operation AND EXISTS (
        SELECT FROM deposit WHERE deposit.id = event.object_id AND player_ref = p_player
        UNION ALL
        SELECT FROM withdrawal WHERE withdrawal.id = event.object_id AND player_ref = p_player);
    WHEN 'idempotency_key.response_sealed' THEN
      UPDATE idempotency_key SET response_sealed = fresh FROM unnest(p_keys, p_fresh) AS change (key, fresh)
      WHERE idempotency_key.key = change.key AND operation_id = p_operation AND EXISTS (
        SELECT FROM deposit WHERE deposit.id = coalesce(object_id, subject_id) AND player_ref = p_player
        UNION ALL
        SELECT FROM withdrawal WHERE withdrawal.id = coalesce(object_id, subject_id) AND player_ref = p_player);
  END CASE;
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM set_config('gateway.resealing', 'off', true);
  RETURN changed;
END
$$;
