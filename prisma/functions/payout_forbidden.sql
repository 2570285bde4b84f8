-- Why people, or the operator, forbid the send of a withdrawal's payout at this moment; null if nobody does. It forbids
-- the permission to send, and a send that is not under way. A player's reference is hashed as playerHash does it
-- (store/sealing/sealer.ts).
CREATE OR REPLACE FUNCTION payout_forbidden(p_operation_id text, p_withdrawal_id text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN is_paused(withdrawal.provider) THEN 'provider_paused'
    WHEN operation.status <> 'active' THEN 'operation_suspended'
    WHEN withdrawal.decision_mode = 'automatic' AND operation.automatic_stopped_at IS NOT NULL
      THEN 'automatic_stopped'
    WHEN is_blocked(p_operation_id, 'player',
        sha256(convert_to('player' || chr(10) || withdrawal.player_ref, 'UTF8')))
      OR is_blocked(p_operation_id, 'document', player.document_hash)
      OR is_blocked(p_operation_id, 'pix_key', withdrawal.destination_hash) THEN 'listed'
  END
  FROM withdrawal
  JOIN operation ON operation.id = withdrawal.operation_id
  LEFT JOIN player ON player.operation_id = withdrawal.operation_id AND player.external_ref = withdrawal.player_ref
  WHERE withdrawal.id = p_withdrawal_id AND withdrawal.operation_id = p_operation_id
$$;
