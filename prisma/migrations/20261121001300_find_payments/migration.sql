-- What support is given, it can look up: the trace id of an operator's log, the end-to-end id of a bank slip, an operator whose
-- webhooks wait.

-- The trace ids of the runs of a request, the latest ten. They are written with the claim and never with the answer, so that
-- recording the answer moves no index entry.
ALTER TABLE "idempotency_key" ADD COLUMN "trace_ids" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
-- What a request acts on that creates nothing: the payment in its path.
ALTER TABLE "idempotency_key" ADD COLUMN "subject_id" TEXT;

-- CreateIndex: without a list of pending entries, which one request in many thousands would have to work off.
CREATE INDEX "idempotency_key_trace_ids_idx" ON "idempotency_key" USING GIN ("trace_ids") WITH (fastupdate = off);

-- Rows without the value are not in these indexes: a payment enters one once, when the value is known.
CREATE INDEX "deposit_by_end_to_end_id" ON "deposit" ("end_to_end_id") WHERE "end_to_end_id" IS NOT NULL;
CREATE INDEX "withdrawal_by_psp_reference" ON "withdrawal" ("psp_reference") WHERE "psp_reference" IS NOT NULL;
CREATE INDEX "alert_by_occasion" ON "alert" ("occasion") WHERE "occasion" IS NOT NULL;
CREATE INDEX "alert_by_object" ON "alert" ("object_id") WHERE "object_id" IS NOT NULL;

-- The ids of returns (`D…`), which bank statements show, and the deposit that each is of.
CREATE TABLE "return_id" (
  "return_id" TEXT NOT NULL,
  "deposit_id" TEXT NOT NULL,
  "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "return_id_pkey" PRIMARY KEY ("return_id")
);

-- Failed attempts that another one follows: what waits for an operator's endpoint. A delivered event leaves nothing here.
CREATE INDEX "webhook_delivery_waiting" ON "webhook_delivery" ("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- The same two functions as before, with the trace id of the request. Processes of earlier builds call them without one.
DROP FUNCTION "claim_idempotent_request"(text, text, bytea, text, text, integer);
DROP FUNCTION "claim_idempotency_key"(text, text, bytea, text, text, integer);

CREATE FUNCTION "claim_idempotency_key"(
  p_operation_id text, p_key text, p_fingerprint bytea, p_new_object_id text, p_limit_bucket text, p_limit integer,
  p_trace_id text DEFAULT NULL, p_subject_id text DEFAULT NULL,
  OUT outcome text, OUT token text, OUT object_id text, OUT retry_after integer,
  OUT response_status integer, OUT response_content_type text, OUT response_headers jsonb, OUT response_body bytea
) LANGUAGE plpgsql AS $$
DECLARE
  held  "idempotency_key"%ROWTYPE;
  fresh uuid := gen_random_uuid();
  hits  timestamptz[];
BEGIN
  LOOP
    INSERT INTO "idempotency_key" ("operation_id", "key", "fingerprint", "object_id", "token", "state", "locked_at", "created_at",
      "trace_ids", "subject_id")
    VALUES (p_operation_id, p_key, p_fingerprint, p_new_object_id, fresh, 'running', clock_timestamp(), clock_timestamp(),
      array_remove(ARRAY[p_trace_id], NULL), p_subject_id)
    ON CONFLICT ("operation_id", "key") DO NOTHING;
    IF FOUND THEN
      object_id := p_new_object_id;
      EXIT;
    END IF;

    SELECT * INTO held FROM "idempotency_key" i WHERE i."operation_id" = p_operation_id AND i."key" = p_key FOR UPDATE;
    IF NOT FOUND THEN
      CONTINUE;
    END IF;
    IF held."created_at" < clock_timestamp() - interval '30 days' THEN
      DELETE FROM "idempotency_key" i WHERE i."operation_id" = p_operation_id AND i."key" = p_key;
      CONTINUE;
    END IF;
    IF held."fingerprint" <> p_fingerprint THEN
      outcome := 'reused'; RETURN;
    END IF;
    IF held."state" = 'finished' AND held."response_sealed" IS NOT NULL THEN
      outcome := 'in_progress'; RETURN;
    END IF;
    IF held."state" = 'finished' THEN
      outcome := 'finished'; object_id := held."object_id";
      response_status := held."response_status"; response_content_type := held."response_content_type";
      response_headers := held."response_headers"; response_body := held."response_body";
      RETURN;
    END IF;
    IF held."state" = 'running' AND held."locked_at" > clock_timestamp() - interval '30 seconds' THEN
      outcome := 'in_progress'; RETURN;
    END IF;
    UPDATE "idempotency_key" i SET "token" = fresh, "state" = 'running', "locked_at" = clock_timestamp(),
      "trace_ids" = (i."trace_ids" || array_remove(ARRAY[p_trace_id], NULL))[greatest(1, cardinality(i."trace_ids") - 8):]
    WHERE i."operation_id" = p_operation_id AND i."key" = p_key;
    object_id := held."object_id";
    EXIT;
  END LOOP;

  IF p_limit_bucket IS NOT NULL THEN
    -- Two requests of one player are counted one after the other.
    PERFORM pg_advisory_xact_lock(hashtextextended('player_hit:' || p_limit_bucket, 0));
    IF NOT EXISTS (SELECT FROM "player_hit" h WHERE h."bucket" = p_limit_bucket AND h."object_id" = claim_idempotency_key.object_id) THEN
      SELECT coalesce(array_agg(h."at" ORDER BY h."at"), '{}') INTO hits FROM "player_hit" h
      WHERE h."bucket" = p_limit_bucket AND h."at" > clock_timestamp() - interval '1 hour';
      IF cardinality(hits) >= p_limit THEN
        UPDATE "idempotency_key" i SET "state" = 'released' WHERE i."operation_id" = p_operation_id AND i."key" = p_key;
        outcome := 'limited';
        retry_after := greatest(1, ceil(extract(epoch FROM hits[cardinality(hits) - p_limit + 1] + interval '1 hour' - clock_timestamp())));
        RETURN;
      END IF;
      INSERT INTO "player_hit" ("bucket", "object_id", "at") VALUES (p_limit_bucket, claim_idempotency_key.object_id, clock_timestamp());
    END IF;
  END IF;
  outcome := 'owned'; token := fresh::text;
END
$$;

CREATE FUNCTION "claim_idempotent_request"(
  p_operation_id text, p_key text, p_fingerprint bytea, p_new_object_id text, p_limit_bucket text, p_limit integer,
  p_trace_id text DEFAULT NULL, p_subject_id text DEFAULT NULL,
  OUT outcome text, OUT token text, OUT object_id text, OUT retry_after integer,
  OUT response_status integer, OUT response_content_type text, OUT response_headers jsonb, OUT response_body bytea, OUT response_sealed bytea
) LANGUAGE plpgsql AS $$
DECLARE
  claimed record;
  held "idempotency_key"%ROWTYPE;
BEGIN
  SELECT * INTO claimed FROM "claim_idempotency_key"(p_operation_id, p_key, p_fingerprint, p_new_object_id, p_limit_bucket, p_limit, p_trace_id, p_subject_id);
  outcome := claimed.outcome; token := claimed.token; object_id := claimed.object_id; retry_after := claimed.retry_after;
  response_status := claimed.response_status; response_content_type := claimed.response_content_type;
  response_headers := claimed.response_headers; response_body := claimed.response_body;
  IF outcome <> 'in_progress' THEN
    RETURN;
  END IF;
  SELECT * INTO held FROM "idempotency_key" i WHERE i."operation_id" = p_operation_id AND i."key" = p_key AND i."state" = 'finished';
  IF FOUND THEN
    outcome := 'finished'; object_id := held."object_id";
    response_status := held."response_status"; response_content_type := held."response_content_type";
    response_headers := held."response_headers"; response_body := held."response_body"; response_sealed := held."response_sealed";
  END IF;
END
$$;
