-- Which players share a payer, a key, an address or a device; and what people decided on a player's payments, however
-- many automatic ones came since.
CREATE INDEX player_trait_operation_id_kind_value_hash_player_ref_idx
  ON player_trait (operation_id, kind, value_hash, player_ref);
CREATE INDEX deposit_decided_of_player ON deposit (operation_id, player_ref, sequence) WHERE decided_by <> '[]';
CREATE INDEX withdrawal_decided_of_player ON withdrawal (operation_id, player_ref, sequence) WHERE decided_by <> '[]';
