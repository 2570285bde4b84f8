-- What a payment asked its provider over HTTP, and what came back: templates of paths and statuses, never a body.
CREATE TABLE provider_exchange (
  id          bigserial      NOT NULL,
  payment_id  text           NOT NULL,
  provider    text           NOT NULL,
  call        text           NOT NULL,
  method      text           NOT NULL,
  path        text           NOT NULL,
  status      integer,
  fault       text,
  step_at     timestamptz(3) NOT NULL,
  started_at  timestamptz(3) NOT NULL,
  duration_ms integer        NOT NULL,
  stored_at   timestamptz(3) NOT NULL DEFAULT now(),

  CONSTRAINT provider_exchange_pkey PRIMARY KEY (id),
  CONSTRAINT provider_exchange_status_check CHECK (status BETWEEN 100 AND 599),
  CONSTRAINT provider_exchange_answer_check CHECK ((status IS NULL) <> (fault IS NULL)),
  CONSTRAINT provider_exchange_path_check CHECK (path !~ '[0-9@?]{3}')
);
CREATE INDEX provider_exchange_payment_id_id_idx ON provider_exchange (payment_id, id);
