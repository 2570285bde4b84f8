-- The operations' own calls, so that their programmers see what was signed and why it was refused. UNLOGGED: an aid, not
-- a record, so a crash may empty it.
CREATE UNLOGGED TABLE request_log (
  id               bigserial      NOT NULL,
  operation_id     text           NOT NULL,
  key_id           text           NOT NULL,
  trace_id         text           NOT NULL,
  received_at      timestamptz(3) NOT NULL,
  is_signed        boolean        NOT NULL,
  method           text           NOT NULL,
  route            text,
  object_id        text,
  status           integer        NOT NULL,
  code             text,
  detail           text,
  errors           jsonb          NOT NULL,
  is_replayed      boolean        NOT NULL,
  duration_ms      integer        NOT NULL,
  address          text           NOT NULL,
  signed_timestamp text,
  signed_nonce     text,
  body_sha256      text           NOT NULL,
  canonical_sha256 text,

  CONSTRAINT request_log_pkey PRIMARY KEY (id),
  CONSTRAINT request_log_status_check CHECK (status BETWEEN 100 AND 599)
);
CREATE INDEX request_log_operation_id_id_idx ON request_log (operation_id, id);
CREATE INDEX request_log_trace_id_idx ON request_log (trace_id);
