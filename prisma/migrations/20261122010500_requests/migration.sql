-- What the api keeps about requests: idempotency keys, nonces, and the counters behind the limits. An UNLOGGED counter
-- costs a fraction of a logged one, is emptied by a crash and fills up again within a minute: good enough for a rate
-- that protects the gateway, not for a business limit.

-- Reservations and recorded responses of Idempotency-Keys, kept for 30 days.
CREATE TABLE idempotency_key (
  operation_id          text           NOT NULL,
  key                   text           NOT NULL,
  fingerprint           bytea          NOT NULL,
  object_id             text,
  token                 uuid           NOT NULL,
  state                 text           NOT NULL,
  locked_at             timestamptz(3) NOT NULL,
  response_status       integer,
  response_content_type text,
  response_headers      jsonb,
  response_sealed       bytea,
  created_at            timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  trace_ids             text[]         NOT NULL DEFAULT ARRAY[]::text[],
  subject_id            text,

  CONSTRAINT idempotency_key_pkey PRIMARY KEY (operation_id, key),
  CONSTRAINT idempotency_key_state_check CHECK (state IN ('running', 'released', 'finished'))
);
CREATE INDEX idempotency_key_created_at_idx ON idempotency_key (created_at);
-- fastupdate = off: no list of pending entries, which one request in many thousands would have to process.
CREATE INDEX idempotency_key_trace_ids_idx ON idempotency_key USING gin (trace_ids) WITH (fastupdate = off);

-- The nonces of signed requests, kept for as long as a request's timestamp is acceptable.
CREATE TABLE nonce (
  key_id  text           NOT NULL,
  nonce   text           NOT NULL,
  seen_at timestamptz(3) NOT NULL,

  CONSTRAINT nonce_pkey PRIMARY KEY (key_id, nonce)
);
CREATE INDEX nonce_seen_at_idx ON nonce (seen_at);

-- Token buckets (generic cell rate algorithm): when the next request of each is due.
CREATE UNLOGGED TABLE rate_bucket (
  bucket                   text           NOT NULL,
  theoretical_arrival_time timestamptz(6) NOT NULL,

  CONSTRAINT rate_bucket_pkey PRIMARY KEY (bucket)
) WITH (fillfactor = 50);

-- The latest signature failures of a source address.
CREATE UNLOGGED TABLE signature_failures (
  source    text NOT NULL,
  failed_at timestamptz(3)[],

  CONSTRAINT signature_failures_pkey PRIMARY KEY (source)
);

-- What counts against a player's hourly limits. Logged: a crash must not allow another hour of withdrawals.
CREATE TABLE player_hit (
  bucket    text           NOT NULL,
  object_id text           NOT NULL,
  at        timestamptz(3) NOT NULL,

  CONSTRAINT player_hit_pkey PRIMARY KEY (bucket, object_id)
);
CREATE INDEX player_hit_bucket_at_idx ON player_hit (bucket, at);
