-- What the rules engine asks for: a decision stored once however often its activity is retried, and who else used a PIX
-- key found by probing an ordered index instead of reading every use of the key.

-- DropIndex
DROP INDEX "decision_object_id_idx";

-- DropIndex
DROP INDEX "withdrawal_operation_id_destination_hash_idx";

-- CreateIndex
CREATE UNIQUE INDEX "decision_object_id_stage_digest_key" ON "decision"("object_id", "stage", "digest");

-- CreateIndex
CREATE INDEX "withdrawal_operation_id_destination_hash_player_ref_idx" ON "withdrawal"("operation_id", "destination_hash", "player_ref");
