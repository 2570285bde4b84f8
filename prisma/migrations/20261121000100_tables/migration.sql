-- The gateway's tables, and the checks that no program error may pass.

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "operation" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "provider" TEXT NOT NULL,
    "webhook_url" TEXT,
    "outage" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operation_counter" (
    "operation_id" TEXT NOT NULL,
    "event_sequence" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "operation_counter_pkey" PRIMARY KEY ("operation_id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "key_id" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "id" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allowed_network" (
    "operation_id" TEXT NOT NULL,
    "cidr" TEXT NOT NULL,

    CONSTRAINT "allowed_network_pkey" PRIMARY KEY ("operation_id","cidr")
);

-- CreateTable
CREATE TABLE "approval_request" (
    "id" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "list_entry" (
    "operation_id" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "value_hash" BYTEA NOT NULL,
    "value_sealed" BYTEA NOT NULL,
    "network" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "list_entry_pkey" PRIMARY KEY ("operation_id","list","kind","value_hash")
);

-- CreateTable
CREATE TABLE "rule_set_version" (
    "operation_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "rule_set_version_pkey" PRIMARY KEY ("operation_id","version")
);

-- CreateTable
CREATE TABLE "rule_change_request" (
    "id" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "base_version" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "justification" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending_approval',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT[],

    CONSTRAINT "rule_change_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "player" (
    "operation_id" TEXT NOT NULL,
    "external_ref" TEXT NOT NULL,
    "document_hash" BYTEA NOT NULL,
    "document_sealed" BYTEA NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "player_pkey" PRIMARY KEY ("operation_id","external_ref")
);

-- CreateTable
CREATE TABLE "deposit" (
    "id" TEXT NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "operation_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "amount_minor" DECIMAL(38,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "paid_amount_minor" DECIMAL(38,0),
    "method" TEXT NOT NULL,
    "player_ref" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "request_sealed" BYTEA NOT NULL,
    "payer_sealed" BYTEA,
    "payer_document_hash" BYTEA,
    "copy_paste" TEXT,
    "qr_code_png_base64" TEXT,
    "instructions_expires_at" TIMESTAMPTZ(3),
    "end_to_end_id" TEXT,
    "failure_code" TEXT,
    "review_reasons" TEXT[],
    "decided_by" JSONB NOT NULL DEFAULT '[]',
    "late_payment" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deposit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "withdrawal" (
    "id" TEXT NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "operation_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "amount_minor" DECIMAL(38,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "fee_minor" DECIMAL(38,0),
    "method" TEXT NOT NULL,
    "player_ref" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "request_sealed" BYTEA NOT NULL,
    "destination_type" TEXT NOT NULL,
    "destination_hash" BYTEA NOT NULL,
    "ip_hash" BYTEA,
    "device_hash" BYTEA,
    "decision_mode" TEXT NOT NULL,
    "decision_reasons" TEXT[],
    "rule_set_version" INTEGER NOT NULL,
    "decided_by" JSONB NOT NULL DEFAULT '[]',
    "decided_at" TIMESTAMPTZ(3),
    "psp_reference" TEXT,
    "failure_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),

    CONSTRAINT "withdrawal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payout_send" (
    "withdrawal_id" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "run" TEXT NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_send_pkey" PRIMARY KEY ("withdrawal_id")
);

-- CreateTable
CREATE TABLE "decision" (
    "id" BIGSERIAL NOT NULL,
    "operation_id" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "rule_set_version" INTEGER NOT NULL,
    "facts" JSONB NOT NULL,
    "thresholds" JSONB NOT NULL,
    "verdicts" JSONB NOT NULL,
    "outcome" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "object_version" INTEGER NOT NULL,
    "body_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" BIGSERIAL NOT NULL,
    "operation_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "response_status" INTEGER,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_account" (
    "operation_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "balance_minor" DECIMAL(38,0) NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_account_pkey" PRIMARY KEY ("operation_id","currency","account")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" BIGSERIAL NOT NULL,
    "operation_id" TEXT NOT NULL,
    "transfer_id" TEXT NOT NULL,
    "movement" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "amount_minor" DECIMAL(38,0) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "operation_id" TEXT,
    "kind" TEXT NOT NULL,
    "object_id" TEXT,
    "detail" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_callback" (
    "id" BIGSERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "body_sealed" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "repetitions" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "provider_callback_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "operation_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "object_id" TEXT,
    "token" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "locked_at" TIMESTAMPTZ(3) NOT NULL,
    "response_status" INTEGER,
    "response_content_type" TEXT,
    "response_headers" JSONB,
    "response_body" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("operation_id","key")
);

-- CreateTable
CREATE TABLE "nonce" (
    "key_id" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "nonce_pkey" PRIMARY KEY ("key_id","nonce")
);

-- CreateTable
CREATE TABLE "rate_bucket" (
    "bucket" TEXT NOT NULL,
    "theoretical_arrival_time" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_bucket_pkey" PRIMARY KEY ("bucket")
);

-- CreateTable
CREATE TABLE "player_hit" (
    "bucket" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "player_hit_pkey" PRIMARY KEY ("bucket","object_id")
);

-- CreateIndex
CREATE INDEX "api_key_operation_id_idx" ON "api_key"("operation_id");

-- CreateIndex
CREATE INDEX "webhook_secret_operation_id_idx" ON "webhook_secret"("operation_id");

-- CreateIndex
CREATE INDEX "approval_request_operation_id_status_idx" ON "approval_request"("operation_id", "status");

-- CreateIndex
CREATE INDEX "rule_change_request_operation_id_status_idx" ON "rule_change_request"("operation_id", "status");

-- CreateIndex
CREATE INDEX "player_operation_id_document_hash_idx" ON "player"("operation_id", "document_hash");

-- CreateIndex
CREATE INDEX "deposit_operation_id_player_ref_sequence_idx" ON "deposit"("operation_id", "player_ref", "sequence");

-- CreateIndex
CREATE INDEX "deposit_operation_id_status_sequence_idx" ON "deposit"("operation_id", "status", "sequence");

-- CreateIndex
CREATE INDEX "deposit_operation_id_updated_at_idx" ON "deposit"("operation_id", "updated_at");

-- CreateIndex
CREATE INDEX "deposit_operation_id_payer_document_hash_idx" ON "deposit"("operation_id", "payer_document_hash");

-- CreateIndex
CREATE UNIQUE INDEX "deposit_operation_id_external_id_key" ON "deposit"("operation_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "deposit_operation_id_sequence_key" ON "deposit"("operation_id", "sequence");

-- CreateIndex
CREATE INDEX "withdrawal_operation_id_player_ref_sequence_idx" ON "withdrawal"("operation_id", "player_ref", "sequence");

-- CreateIndex
CREATE INDEX "withdrawal_operation_id_status_sequence_idx" ON "withdrawal"("operation_id", "status", "sequence");

-- CreateIndex
CREATE INDEX "withdrawal_operation_id_updated_at_idx" ON "withdrawal"("operation_id", "updated_at");

-- CreateIndex
CREATE INDEX "withdrawal_operation_id_destination_hash_idx" ON "withdrawal"("operation_id", "destination_hash");

-- CreateIndex
CREATE UNIQUE INDEX "withdrawal_operation_id_external_id_key" ON "withdrawal"("operation_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "withdrawal_operation_id_sequence_key" ON "withdrawal"("operation_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "payout_send_reference_key" ON "payout_send"("reference");

-- CreateIndex
CREATE INDEX "decision_object_id_idx" ON "decision"("object_id");

-- CreateIndex
CREATE INDEX "event_operation_id_object_id_sequence_idx" ON "event"("operation_id", "object_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "event_operation_id_sequence_key" ON "event"("operation_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "event_object_id_object_version_key" ON "event"("object_id", "object_version");

-- CreateIndex
CREATE INDEX "webhook_delivery_operation_id_id_idx" ON "webhook_delivery"("operation_id", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_event_id_idx" ON "webhook_delivery"("event_id");

-- CreateIndex
CREATE INDEX "ledger_entry_operation_id_account_idx" ON "ledger_entry"("operation_id", "account");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_transfer_id_account_key" ON "ledger_entry"("transfer_id", "account");

-- CreateIndex
CREATE INDEX "alert_resolved_at_created_at_idx" ON "alert"("resolved_at", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "provider_callback_digest_key" ON "provider_callback"("digest");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "nonce_seen_at_idx" ON "nonce"("seen_at");

-- CreateIndex
CREATE INDEX "player_hit_bucket_at_idx" ON "player_hit"("bucket", "at");

-- Counters that only limit rates may be lost in a crash; they are rebuilt within their window.
ALTER TABLE "rate_bucket" SET UNLOGGED;
ALTER TABLE "player_hit" SET UNLOGGED;
ALTER TABLE "rate_bucket" SET (fillfactor = 50);

-- Closed sets and signs.
ALTER TABLE "operation" ADD CONSTRAINT "operation_environment_check" CHECK ("environment" IN ('sandbox', 'production'));
ALTER TABLE "operation" ADD CONSTRAINT "operation_status_check" CHECK ("status" IN ('active', 'suspended'));
ALTER TABLE "operation" ADD CONSTRAINT "operation_provider_check" CHECK ("provider" IN ('simulator', 'a', 'b'));
ALTER TABLE "operation" ADD CONSTRAINT "operation_outage_sandbox_only" CHECK (NOT "outage" OR "environment" = 'sandbox');
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_environment_check" CHECK ("environment" IN ('sandbox', 'production'));
ALTER TABLE "list_entry" ADD CONSTRAINT "list_entry_list_check" CHECK ("list" IN ('block', 'review'));
ALTER TABLE "list_entry" ADD CONSTRAINT "list_entry_kind_check" CHECK ("kind" IN ('player', 'pix_key', 'document', 'ip', 'device'));
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_status_check" CHECK ("status" IN ('created', 'pending', 'under_review', 'paid', 'expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback'));
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_amount_check" CHECK ("amount_minor" > 0);
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_version_check" CHECK ("version" >= 1);
ALTER TABLE "deposit" ADD CONSTRAINT "deposit_paid_in_full_check" CHECK ("status" <> 'paid' OR "paid_amount_minor" = "amount_minor");
ALTER TABLE "withdrawal" ADD CONSTRAINT "withdrawal_status_check" CHECK ("status" IN ('requested', 'under_review', 'approved', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'returned'));
ALTER TABLE "withdrawal" ADD CONSTRAINT "withdrawal_amount_check" CHECK ("amount_minor" > 0);
ALTER TABLE "withdrawal" ADD CONSTRAINT "withdrawal_version_check" CHECK ("version" >= 1);
ALTER TABLE "withdrawal" ADD CONSTRAINT "withdrawal_mode_check" CHECK ("decision_mode" IN ('automatic', 'manual'));
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_state_check" CHECK ("state" IN ('running', 'released', 'finished'));
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_amount_check" CHECK ("amount_minor" <> 0);

-- Entries and events are written once: nothing changes or removes them.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE ON "event" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "decision_append_only" BEFORE UPDATE OR DELETE ON "decision" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- One open alert of a kind per object: a condition that lasts is not reported again and again.
CREATE UNIQUE INDEX "alert_open_once" ON "alert" ("kind", coalesce("object_id", ''), coalesce("operation_id", '')) WHERE "resolved_at" IS NULL;
