-- A proposed change carries its proof (what it would have decided), and the digest that two people approve; decisions of an
-- operation are found by their time, and tell whose they were also where no payment came of them.

-- AlterTable
ALTER TABLE "decision" ADD COLUMN "player_ref" TEXT;

-- AlterTable
ALTER TABLE "rule_change_request" ADD COLUMN "proof" JSONB,
ADD COLUMN "proof_digest" TEXT,
ADD COLUMN "proof_number" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "decision_operation_id_decided_at_id_idx" ON "decision"("operation_id", "decided_at", "id");

ALTER TABLE "rule_change_request" ADD CONSTRAINT "rule_change_request_proof_check" CHECK (("proof" IS NULL) = ("proof_digest" IS NULL));
