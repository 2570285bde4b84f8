-- Changes a deposit, if it is as it was read, with everything that follows: all of it, or nothing.
WITH locked AS (
  -- Every change locks the operation's counter before any other row: events commit in the order of their numbers, and
  -- movements of one operation never deadlock. A step that began before one which is stored is changed after it.
  SELECT greatest(:at::timestamptz, operation_counter.changed_at + interval '1 millisecond') AS changed_at
  FROM operation_counter WHERE operation_id = :operationId FOR UPDATE
),
held AS (
  SELECT id FROM deposit, locked
  WHERE id = :id AND operation_id = :operationId AND revision = :revisionBefore
  FOR UPDATE OF deposit
),
used AS MATERIALIZED (
  SELECT use_act(:act::jsonb, :operationId, :id, :versionBefore) AS may_change FROM held
),
changed AS (
  -- The payer is written once: rewriting it would undo a resealing of the row.
  UPDATE deposit SET
    status = :status,
    version = :version,
    revision = :revision,
    paid_amount_minor = :paidAmountMinor::numeric,
    payer_sealed = coalesce(:payerSealed::bytea, payer_sealed),
    payer_document_hash = coalesce(:payerDocumentHash::bytea, payer_document_hash),
    copy_paste = :copyPaste,
    qr_code_png_base64 = :qrCodePngBase64,
    instructions_expires_at = :instructionsExpiresAt::timestamptz,
    end_to_end_id = :endToEndId,
    failure_code = :failureCode,
    review_reasons = :reviewReasons::text[],
    decided_by = :decidedBy::jsonb,
    return_request = :returnRequest::jsonb,
    returns = :returns,
    extra_payments = :extraPayments::text[],
    fees = :fees::jsonb,
    returned_parts = :returnedParts::jsonb,
    returned_minor = :returnedMinor::numeric,
    suspense_credits = :suspenseCredits::jsonb,
    return_in_doubt = :isReturnInDoubt,
    late_payment = :latePayment,
    contract = coalesce(:contract, contract),
    updated_at = locked.changed_at,
    paid_at = :paidAt::timestamptz,
    expires_at = :expiresAt::timestamptz
  FROM locked, held, used
  WHERE deposit.id = held.id AND used.may_change
  RETURNING deposit.version, deposit.updated_at
),
counter AS (
  UPDATE operation_counter SET changed_at = changed.updated_at,
    event_sequence = operation_counter.event_sequence + (:event::jsonb IS NOT NULL)::integer
  FROM changed WHERE operation_counter.operation_id = :operationId
  RETURNING operation_counter.event_sequence
),
alerted AS (
  INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
  SELECT 'alr_' || replace(gen_random_uuid()::text, '-', ''), :operationId, :alertKind, :id, :alertDetail,
    :alertOccasion, :at::timestamptz
  FROM changed WHERE :alertKind::text IS NOT NULL
  ON CONFLICT DO NOTHING
),
resolved AS (
  UPDATE alert SET resolved_at = :at::timestamptz FROM changed
  WHERE alert.object_id = :id AND alert.resolved_at IS NULL AND alert.kind = ANY(:resolves::text[])
),
followed AS MATERIALIZED (
  SELECT
    book_movements(:operationId, :id, :provider, :currency, :at::timestamptz, :movements::jsonb,
      :itemPayer::bytea),
    store_decision(:decision::jsonb),
    publish_event(:operationId, :id, changed.version, counter.event_sequence, changed.updated_at, :event::jsonb,
      :eventBody::bytea) AS target,
    audit_act(:audit::jsonb)
  FROM changed, counter
)
SELECT count(*)::integer AS changed, max(updated_at) AS "updatedAt", (SELECT target FROM followed) AS target
FROM changed
