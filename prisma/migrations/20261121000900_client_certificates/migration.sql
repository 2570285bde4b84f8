-- The client certificates that operations present at the TLS edge.

-- CreateTable
CREATE TABLE "client_certificate" (
    "serial" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "authority" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "not_before" TIMESTAMPTZ(3) NOT NULL,
    "not_after" TIMESTAMPTZ(3) NOT NULL,
    "issued_by" TEXT NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_certificate_pkey" PRIMARY KEY ("serial")
);

-- CreateIndex
CREATE INDEX "client_certificate_operation_id_idx" ON "client_certificate"("operation_id");

-- CreateIndex
CREATE INDEX "client_certificate_authority_idx" ON "client_certificate"("authority");

ALTER TABLE "client_certificate"
  ADD CONSTRAINT "client_certificate_serial_check" CHECK ("serial" ~ '^[0-9a-f]{32}$'),
  -- Specification, "Authentication": valid for 90 days at most.
  ADD CONSTRAINT "client_certificate_validity_check" CHECK ("not_after" > "not_before" AND "not_after" <= "not_before" + interval '90 days');
