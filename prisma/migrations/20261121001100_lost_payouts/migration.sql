-- What two people asked and confirmed of a payout whose one send was lost.

-- AlterTable
ALTER TABLE "withdrawal" ADD COLUMN "conclusions" JSONB NOT NULL DEFAULT '[]';
