-- Orders that were refused: none of them becomes a payment later. Kept as long as Idempotency-Keys.
CREATE TABLE refused_order (
  payment_id   text           NOT NULL,
  operation_id text           NOT NULL,
  code         text           NOT NULL,
  order_proof  text           NOT NULL,
  run_id       text           NOT NULL,
  refused_at   timestamptz(3) NOT NULL,

  CONSTRAINT refused_order_pkey PRIMARY KEY (payment_id)
);
CREATE INDEX refused_order_refused_at_idx ON refused_order (refused_at);
