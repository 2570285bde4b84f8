-- Who decided a proposed change of rules, when and why, and the version that it became.

-- AlterTable
ALTER TABLE "rule_change_request" ADD COLUMN "applied_version" INTEGER,
ADD COLUMN "decisions" JSONB NOT NULL DEFAULT '[]';

-- CreateIndex
CREATE INDEX "rule_change_request_status_created_at_idx" ON "rule_change_request"("status", "created_at");

ALTER TABLE "rule_change_request" ADD CONSTRAINT "rule_change_request_status_check" CHECK ("status" IN ('pending_approval', 'approved', 'rejected', 'superseded', 'expired'));
ALTER TABLE "rule_change_request" ADD CONSTRAINT "rule_change_request_applied_check" CHECK (("status" = 'approved') = ("applied_version" IS NOT NULL));
