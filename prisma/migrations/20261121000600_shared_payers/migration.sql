-- Who else a payer has paid for, found by probing an ordered index on either side of the player.

-- DropIndex
DROP INDEX "deposit_operation_id_payer_document_hash_idx";

-- CreateIndex
CREATE INDEX "deposit_operation_id_payer_document_hash_player_ref_idx" ON "deposit"("operation_id", "payer_document_hash", "player_ref");
