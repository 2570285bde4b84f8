-- Closed days, frozen once: what an operator was told about a day never changes afterwards.

-- CreateTable
CREATE TABLE "reconciliation_day" (
    "operation_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "item_count" INTEGER NOT NULL,
    "carried_count" INTEGER NOT NULL,
    "deposits_paid_minor" DECIMAL(60,0) NOT NULL,
    "withdrawals_paid_minor" DECIMAL(60,0) NOT NULL,
    "refunds_minor" DECIMAL(60,0) NOT NULL,
    "chargebacks_minor" DECIMAL(60,0) NOT NULL,
    "fees_minor" DECIMAL(60,0) NOT NULL,
    "digest" TEXT NOT NULL,
    "through_entry_id" BIGINT NOT NULL,
    "frozen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_day_pkey" PRIMARY KEY ("operation_id","currency","date")
);

-- CreateTable
CREATE TABLE "reconciliation_item" (
    "operation_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "position" INTEGER NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "reconciliation_item_pkey" PRIMARY KEY ("operation_id","currency","date","position")
);

-- CreateIndex
CREATE UNIQUE INDEX "reconciliation_item_entry_id_key" ON "reconciliation_item"("entry_id");

ALTER TABLE "reconciliation_day" ADD CONSTRAINT "reconciliation_day_digest_check" CHECK ("digest" ~ '^[0-9a-f]{64}$');
ALTER TABLE "reconciliation_item" ADD CONSTRAINT "reconciliation_item_position_check" CHECK ("position" >= 1);
CREATE TRIGGER "reconciliation_day_append_only" BEFORE UPDATE OR DELETE ON "reconciliation_day" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "reconciliation_item_append_only" BEFORE UPDATE OR DELETE ON "reconciliation_item" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- What settles, by day and in the order of commits. The conditions are spelled as store/reconciliation/freeze.ts spells them.
CREATE INDEX "ledger_entry_settled_by_day" ON "ledger_entry" ("operation_id", "currency", "created_at")
  WHERE (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded', 'deposit_charged_back', 'withdrawal_returned'))
     OR (account = 'pending_out' AND movement = 'withdrawal_paid');
CREATE INDEX "ledger_entry_settled_in_order" ON "ledger_entry" ("operation_id", "currency", "id")
  WHERE (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded', 'deposit_charged_back', 'withdrawal_returned'))
     OR (account = 'pending_out' AND movement = 'withdrawal_paid');
CREATE INDEX "ledger_entry_late_payments" ON "ledger_entry" ("operation_id", "currency", "created_at")
  WHERE account = 'suspense' AND movement = 'late_payment_received';
