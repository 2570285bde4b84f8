-- Authenticates a request and takes its rate limits, in one round trip: checks 2 and 6-11 of the specification's
-- "Server verification order", in that order, as far as they need shared or current state.
--
-- `p_stage` says how far the api got by itself:
--   source            a check before 6 failed, or the route is public: only the address is limited
--   signature_failed  check 6 failed
--   signed            every check up to 6 passed
-- `refused_check` is the number of the check that refused the request, or null. `refused_bucket` is the index in
-- `p_buckets` of the bucket that was empty in check 11.
--
-- Every request takes its locks in the same order: address, nonces of the key, nonce, key, operation. The windows are
-- windows of wall time, so they use clock_timestamp().
CREATE OR REPLACE FUNCTION authenticate_request(
  p_source text, p_source_per_second double precision, p_source_burst double precision,
  p_stage text, p_failures_per_minute integer,
  p_key_id text, p_environment text, p_nonce text,
  p_nonces_per_second double precision, p_nonces_burst double precision,
  p_buckets text[], p_per_second double precision[], p_burst double precision[],
  OUT refused_check integer, OUT code text, OUT retry_after integer,
  OUT operation_id text, OUT operation_name text, OUT provider text, OUT outage boolean, OUT scopes text[],
  OUT refused_bucket integer
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  k        api_key%ROWTYPE;
  o        operation%ROWTYPE;
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

  SELECT * INTO k FROM api_key WHERE api_key.key_id = p_key_id;
  SELECT * INTO o FROM operation WHERE operation.id = k.operation_id;
  IF o.id IS NULL OR k.revoked_at <= clock_timestamp() OR k.expires_at <= operation_time(o.clock)
     OR k.environment <> p_environment OR o.environment <> p_environment THEN
    refused_check := 7; code := 'unknown_key'; RETURN;
  END IF;

  SELECT count(*), bool_or(n.cidr::inet >>= p_source::inet) INTO networks, allowed
  FROM allowed_network n WHERE n.operation_id = o.id;
  IF networks = 0 THEN
    allowed := o.environment = 'sandbox';
  END IF;
  IF NOT allowed THEN
    INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
    VALUES ('alr_' || replace(gen_random_uuid()::text, '-', ''), o.id, 'IP_NOT_ALLOWED', p_key_id,
            'A request with a valid signature of this key came from ' || p_source || ', outside the allowlist.',
            clock_timestamp())
    ON CONFLICT DO NOTHING;
    refused_check := 8; code := 'ip_not_allowed'; RETURN;
  END IF;

  IF EXISTS (SELECT FROM nonce n WHERE n.key_id = p_key_id AND n.nonce = p_nonce) THEN
    refused_check := 9; code := 'replayed_nonce'; RETURN;
  END IF;
  retry_after := take_token('nonces:' || p_key_id, p_nonces_per_second, p_nonces_burst);
  IF retry_after > 0 THEN
    refused_check := 9; code := 'rate_limited'; RETURN;
  END IF;
  INSERT INTO nonce (key_id, nonce, seen_at) VALUES (p_key_id, p_nonce, clock_timestamp()) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    refused_check := 9; code := 'replayed_nonce'; RETURN;
  END IF;

  IF o.status <> 'active' THEN
    refused_check := 10; code := 'operation_suspended'; RETURN;
  END IF;

  FOR i IN 1 .. cardinality(p_buckets) LOOP
    retry_after := take_token(p_buckets[i], p_per_second[i], p_burst[i]);
    IF retry_after > 0 THEN
      refused_check := 11; refused_bucket := i; code := 'rate_limited'; RETURN;
    END IF;
  END LOOP;

  IF k.first_used_at IS NULL THEN
    -- The first use of a key ends the older keys of the same scopes after seven more days. A key of fewer scopes does
    -- not end one of more.
    UPDATE api_key SET first_used_at = clock_timestamp() WHERE api_key.key_id = p_key_id AND first_used_at IS NULL;
    IF FOUND THEN
      UPDATE api_key older SET expires_at = operation_time(o.clock) + interval '7 days'
      WHERE older.operation_id = o.id AND older.key_id <> p_key_id AND older.created_at < k.created_at
        AND older.revoked_at IS NULL AND older.scopes @> k.scopes AND older.scopes <@ k.scopes
        AND (older.expires_at IS NULL OR older.expires_at > operation_time(o.clock) + interval '7 days');
    END IF;
  END IF;

  operation_id := o.id; operation_name := o.name; provider := o.provider; outage := o.outage; scopes := k.scopes;
END
$$;
