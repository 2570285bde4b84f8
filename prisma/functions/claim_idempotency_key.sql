-- Claims an Idempotency-Key before the request has any effect (specification, "Idempotency"). `outcome`:
--   owned        run the request; finishing needs `token`, and the request creates the object `object_id`
--   finished     a response is recorded: send it again
--   in_progress  another run holds the key (its reservation lapses after 30 s)
--   reused       the key belongs to another request
--   limited      the player's hourly limit is reached (`retry_after` seconds); the key is released
--   null         `p_operation_id` is null: the request did not pass its checks, and nothing is claimed
-- A lapsed or released key is taken over with a new token but the SAME object id. A key older than 30 days counts as
-- absent. `p_limit_bucket` (null: no limit) counts each object id once.
-- The trace ids of the latest ten runs are kept. They are written here and not with the response, so that recording the
-- response changes no index entry.
CREATE OR REPLACE FUNCTION claim_idempotency_key(
  p_operation_id text, p_key text, p_fingerprint bytea, p_new_object_id text, p_limit_bucket text, p_limit integer,
  p_trace_id text, p_subject_id text,
  OUT outcome text, OUT token text, OUT object_id text, OUT retry_after integer,
  OUT response_status integer, OUT response_content_type text, OUT response_headers jsonb, OUT response_sealed bytea
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  held   idempotency_key%ROWTYPE;
  fresh  uuid := gen_random_uuid();
  hits   timestamptz[];
  -- By the operation's clock: the player's hour can be advanced in the sandbox.
  hit_at timestamptz;
BEGIN
  IF p_operation_id IS NULL THEN
    RETURN;
  END IF;

  LOOP
    INSERT INTO idempotency_key (operation_id, key, fingerprint, object_id, token, state, locked_at, created_at,
      trace_ids, subject_id)
    VALUES (p_operation_id, p_key, p_fingerprint, p_new_object_id, fresh, 'running', clock_timestamp(),
      clock_timestamp(), ARRAY[p_trace_id], p_subject_id)
    ON CONFLICT (operation_id, key) DO NOTHING;
    IF FOUND THEN
      object_id := p_new_object_id;
      EXIT;
    END IF;

    SELECT * INTO held FROM idempotency_key i WHERE i.operation_id = p_operation_id AND i.key = p_key FOR UPDATE;
    IF NOT FOUND THEN
      CONTINUE;
    END IF;
    IF held.created_at < clock_timestamp() - interval '30 days' THEN
      DELETE FROM idempotency_key i WHERE i.operation_id = p_operation_id AND i.key = p_key;
      CONTINUE;
    END IF;
    IF held.fingerprint <> p_fingerprint THEN
      outcome := 'reused'; RETURN;
    END IF;
    IF held.state = 'finished' THEN
      outcome := 'finished'; object_id := held.object_id;
      response_status := held.response_status; response_content_type := held.response_content_type;
      response_headers := held.response_headers; response_sealed := held.response_sealed;
      RETURN;
    END IF;
    IF held.state = 'running' AND held.locked_at > clock_timestamp() - interval '30 seconds' THEN
      outcome := 'in_progress'; RETURN;
    END IF;
    UPDATE idempotency_key i SET token = fresh, state = 'running', locked_at = clock_timestamp(),
      trace_ids = (i.trace_ids || p_trace_id)[greatest(1, cardinality(i.trace_ids) - 8):]
    WHERE i.operation_id = p_operation_id AND i.key = p_key;
    object_id := held.object_id;
    EXIT;
  END LOOP;

  IF p_limit_bucket IS NOT NULL THEN
    -- Requests of one player are counted one after the other.
    PERFORM pg_advisory_xact_lock(hashtextextended('player_hit:' || p_limit_bucket, 0));
    hit_at := operation_time((SELECT o.clock FROM operation o WHERE o.id = p_operation_id));
    IF NOT EXISTS (SELECT FROM player_hit h
                   WHERE h.bucket = p_limit_bucket AND h.object_id = claim_idempotency_key.object_id) THEN
      SELECT coalesce(array_agg(h.at ORDER BY h.at), '{}') INTO hits FROM player_hit h
      WHERE h.bucket = p_limit_bucket AND h.at > hit_at - interval '1 hour';
      IF cardinality(hits) >= p_limit THEN
        UPDATE idempotency_key i SET state = 'released' WHERE i.operation_id = p_operation_id AND i.key = p_key;
        outcome := 'limited';
        retry_after := greatest(1, ceil(extract(epoch FROM
          hits[cardinality(hits) - p_limit + 1] + interval '1 hour' - hit_at)));
        RETURN;
      END IF;
      INSERT INTO player_hit (bucket, object_id, at)
      VALUES (p_limit_bucket, claim_idempotency_key.object_id, hit_at);
    END IF;
  END IF;
  outcome := 'owned'; token := fresh::text;
END
$$;
