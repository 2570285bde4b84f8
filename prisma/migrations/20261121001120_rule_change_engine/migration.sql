-- A proposed change of rules may name the engine's own thresholds too.

-- AlterTable
ALTER TABLE "rule_change_request" ADD COLUMN "engine" JSONB;
