-- What the api asks of Postgres for every request: one statement admits it (specification, "Server verification order"),
-- one claims its Idempotency-Key. Wall time throughout: these are windows of requests, not of payments.

-- CreateTable
CREATE TABLE "signature_failures" (
    "source" TEXT NOT NULL,
    "failed_at" TIMESTAMPTZ(3)[],

    CONSTRAINT "signature_failures_pkey" PRIMARY KEY ("source")
);

ALTER TABLE "signature_failures" SET UNLOGGED;

-- Takes one token of a bucket (generic cell rate algorithm: `burst` at once, then `per_second`).
-- Answers 0, or the whole seconds after which a token will be there. A refused request takes nothing.
CREATE FUNCTION "take_token"(p_bucket text, p_per_second double precision, p_burst double precision) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  step      interval := make_interval(secs => 1 / p_per_second);
  tolerance interval := make_interval(secs => (p_burst - 1) / p_per_second);
  free_at   timestamptz;
BEGIN
  -- The clock is read when the row's lock is held, so that waiting for it costs nobody a token.
  INSERT INTO "rate_bucket" AS b ("bucket", "theoretical_arrival_time") VALUES (p_bucket, clock_timestamp() + step)
  ON CONFLICT ("bucket") DO UPDATE SET "theoretical_arrival_time" = greatest(b."theoretical_arrival_time", clock_timestamp()) + step
    WHERE b."theoretical_arrival_time" - tolerance <= clock_timestamp();
  IF FOUND THEN
    RETURN 0;
  END IF;
  SELECT b."theoretical_arrival_time" - tolerance INTO free_at FROM "rate_bucket" b WHERE b."bucket" = p_bucket;
  RETURN greatest(1, ceil(extract(epoch FROM free_at - clock_timestamp())))::integer;
END
$$;

-- Counts a signature failure of a source address in its sliding minute. Answers 0, or the seconds until one more counts
-- as an ordinary failure again. What is already too much is not recorded: waiting it out always helps.
CREATE FUNCTION "count_signature_failure"(p_source text, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  recent timestamptz[];
BEGIN
  INSERT INTO "signature_failures" ("source", "failed_at") VALUES (p_source, '{}') ON CONFLICT ("source") DO NOTHING;
  SELECT "failed_at" INTO recent FROM "signature_failures" WHERE "source" = p_source FOR UPDATE;
  SELECT coalesce(array_agg(at ORDER BY at), '{}') INTO recent FROM unnest(recent) AS at WHERE at > clock_timestamp() - interval '60 seconds';
  IF cardinality(recent) >= p_limit THEN
    RETURN greatest(1, ceil(extract(epoch FROM recent[cardinality(recent) - p_limit + 1] + interval '60 seconds' - clock_timestamp())))::integer;
  END IF;
  -- An upsert, because the sweep may have taken the row away in between.
  INSERT INTO "signature_failures" ("source", "failed_at") VALUES (p_source, ARRAY[clock_timestamp()])
  ON CONFLICT ("source") DO UPDATE SET "failed_at" = recent || clock_timestamp();
  RETURN 0;
END
$$;

-- Checks 2 and 6-11 of the verification order that need shared or fresh state, in that order, in one round trip. What the
-- api found by itself comes in as `p_stage`: `source` (a check before 6 failed, or the route is public: only the address is
-- limited), `signature_failed` (check 6), `signed` (everything up to 6 is right).
-- `refused_check` is null for an admitted request. Locks are taken in one order by everybody: address, nonces of the key,
-- nonce, key, operation.
CREATE FUNCTION "admit_request"(
  p_source text, p_source_per_second double precision, p_source_burst double precision,
  p_stage text, p_failures_per_minute integer,
  p_key_id text, p_environment text, p_nonce text,
  p_nonces_per_second double precision, p_nonces_burst double precision,
  p_buckets text[], p_per_second double precision[], p_burst double precision[],
  OUT refused_check integer, OUT code text, OUT retry_after integer,
  OUT operation_id text, OUT operation_name text, OUT provider text, OUT outage boolean, OUT scopes text[]
) LANGUAGE plpgsql AS $$
DECLARE
  k        "api_key"%ROWTYPE;
  o        "operation"%ROWTYPE;
  networks integer;
  allowed  boolean;
BEGIN
  retry_after := take_token('source:' || p_source, p_source_per_second, p_source_burst);
  IF retry_after > 0 THEN
    refused_check := 2; code := 'rate_limited'; RETURN;
  END IF;
  IF p_stage = 'source' THEN
    RETURN;
  END IF;

  IF p_stage <> 'signed' THEN
    retry_after := count_signature_failure(p_source, p_failures_per_minute);
    refused_check := 6;
    code := CASE WHEN retry_after > 0 THEN 'rate_limited' ELSE 'invalid_signature' END;
    RETURN;
  END IF;

  SELECT * INTO k FROM "api_key" WHERE "api_key"."key_id" = p_key_id;
  SELECT * INTO o FROM "operation" WHERE "operation"."id" = k."operation_id";
  IF o."id" IS NULL OR k."revoked_at" <= clock_timestamp() OR k."expires_at" <= clock_timestamp()
     OR k."environment" <> p_environment OR o."environment" <> p_environment THEN
    refused_check := 7; code := 'unknown_key'; RETURN;
  END IF;

  SELECT count(*), bool_or(n."cidr"::inet >>= p_source::inet) INTO networks, allowed FROM "allowed_network" n WHERE n."operation_id" = o."id";
  IF networks = 0 THEN
    allowed := o."environment" = 'sandbox';
  END IF;
  IF NOT allowed THEN
    INSERT INTO "alert" ("id", "operation_id", "kind", "object_id", "detail", "created_at")
    VALUES ('alr_' || replace(gen_random_uuid()::text, '-', ''), o."id", 'IP_NOT_ALLOWED', p_key_id,
            'A request with a valid signature of this key came from outside the allowlist.', clock_timestamp())
    ON CONFLICT DO NOTHING;
    refused_check := 8; code := 'ip_not_allowed'; RETURN;
  END IF;

  IF EXISTS (SELECT FROM "nonce" n WHERE n."key_id" = p_key_id AND n."nonce" = p_nonce) THEN
    refused_check := 9; code := 'replayed_nonce'; RETURN;
  END IF;
  retry_after := take_token('nonces:' || p_key_id, p_nonces_per_second, p_nonces_burst);
  IF retry_after > 0 THEN
    refused_check := 9; code := 'rate_limited'; RETURN;
  END IF;
  INSERT INTO "nonce" ("key_id", "nonce", "seen_at") VALUES (p_key_id, p_nonce, clock_timestamp()) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    refused_check := 9; code := 'replayed_nonce'; RETURN;
  END IF;

  IF o."status" <> 'active' THEN
    refused_check := 10; code := 'operation_suspended'; RETURN;
  END IF;

  FOR i IN 1 .. cardinality(p_buckets) LOOP
    retry_after := take_token(p_buckets[i], p_per_second[i], p_burst[i]);
    IF retry_after > 0 THEN
      refused_check := 11; code := 'rate_limited'; RETURN;
    END IF;
  END LOOP;

  IF k."first_used_at" IS NULL THEN
    -- Rotation: the older keys of the operation live for seven more days from here.
    UPDATE "api_key" SET "first_used_at" = clock_timestamp() WHERE "api_key"."key_id" = p_key_id AND "first_used_at" IS NULL;
    IF FOUND THEN
      UPDATE "api_key" older SET "expires_at" = clock_timestamp() + interval '7 days'
      WHERE older."operation_id" = o."id" AND older."key_id" <> p_key_id AND older."created_at" < k."created_at" AND older."revoked_at" IS NULL
        AND (older."expires_at" IS NULL OR older."expires_at" > clock_timestamp() + interval '7 days');
    END IF;
  END IF;

  operation_id := o."id"; operation_name := o."name"; provider := o."provider"; outage := o."outage"; scopes := k."scopes";
END
$$;

-- Claims an Idempotency-Key before any effect (specification, "Idempotency"). `outcome`:
--   owned        run the request; `token` must be shown to finish, `object_id` is the object that it makes
--   finished     a recorded response: repeat it
--   in_progress  another run holds the key (its reservation lapses 30 s after it began)
--   reused       the key belongs to another request
--   limited      the player's hourly limit is reached (`retry_after` seconds); the key is free again
-- A lapsed or released key is taken over with a new token but the SAME object id. A key older than 30 days is as good as
-- absent. `p_limit_bucket` (null: no limit) counts each object id once.
CREATE FUNCTION "claim_idempotency_key"(
  p_operation_id text, p_key text, p_fingerprint bytea, p_new_object_id text, p_limit_bucket text, p_limit integer,
  OUT outcome text, OUT token text, OUT object_id text, OUT retry_after integer,
  OUT response_status integer, OUT response_content_type text, OUT response_headers jsonb, OUT response_body bytea
) LANGUAGE plpgsql AS $$
DECLARE
  held  "idempotency_key"%ROWTYPE;
  fresh uuid := gen_random_uuid();
  hits  timestamptz[];
BEGIN
  LOOP
    INSERT INTO "idempotency_key" ("operation_id", "key", "fingerprint", "object_id", "token", "state", "locked_at", "created_at")
    VALUES (p_operation_id, p_key, p_fingerprint, p_new_object_id, fresh, 'running', clock_timestamp(), clock_timestamp())
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
    IF held."state" = 'finished' THEN
      outcome := 'finished'; object_id := held."object_id";
      response_status := held."response_status"; response_content_type := held."response_content_type";
      response_headers := held."response_headers"; response_body := held."response_body";
      RETURN;
    END IF;
    IF held."state" = 'running' AND held."locked_at" > clock_timestamp() - interval '30 seconds' THEN
      outcome := 'in_progress'; RETURN;
    END IF;
    UPDATE "idempotency_key" i SET "token" = fresh, "state" = 'running', "locked_at" = clock_timestamp()
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

-- Removes what is past its retention, at most `p_rows` rows of each kind; one process at a time. Answers how many.
-- Nonces are kept 660 s: a request signed 300 s ahead of the clock stays acceptable for 600 s.
CREATE FUNCTION "sweep_requests"(p_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  swept integer;
  total integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('sweep_requests', 0)) THEN
    RETURN 0;
  END IF;
  DELETE FROM "nonce" WHERE ctid = ANY (ARRAY (SELECT ctid FROM "nonce" WHERE "seen_at" < now() - interval '660 seconds' ORDER BY "seen_at" LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM "idempotency_key" WHERE "created_at" < now() - interval '30 days'
    AND ctid = ANY (ARRAY (SELECT ctid FROM "idempotency_key" WHERE "created_at" < now() - interval '30 days' ORDER BY "created_at" LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  -- A bucket whose time has passed is full, which is what an absent one is.
  DELETE FROM "rate_bucket" WHERE "theoretical_arrival_time" < now() - interval '1 minute'
    AND ctid = ANY (ARRAY (SELECT ctid FROM "rate_bucket" WHERE "theoretical_arrival_time" < now() - interval '1 minute' LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM "signature_failures" WHERE "failed_at"[cardinality("failed_at")] < now() - interval '1 minute'
    AND ctid = ANY (ARRAY (SELECT ctid FROM "signature_failures" WHERE "failed_at"[cardinality("failed_at")] < now() - interval '1 minute' LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  DELETE FROM "player_hit" WHERE ctid = ANY (ARRAY (SELECT ctid FROM "player_hit" WHERE "at" < now() - interval '1 hour' LIMIT p_rows));
  GET DIAGNOSTICS swept = ROW_COUNT; total := total + swept;
  RETURN total;
END
$$;
