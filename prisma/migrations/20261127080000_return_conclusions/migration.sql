-- Two people may conclude a return to the payer that its provider never finishes, by the provider's own statement.
-- Each return that people request has its own id at the provider, numbered by `returns`.
ALTER TABLE deposit
  ADD COLUMN returns integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT deposit_returns_check CHECK (returns >= 0);

-- One for each return. A step of the deposit settles it by this, if the provider's answer is not conclusive.
-- Append-only.
CREATE TABLE return_conclusion (
  return_act_id text           NOT NULL,
  deposit_id    text           NOT NULL,
  result        text           NOT NULL,
  return_id     text,
  evidence      text           NOT NULL,
  reason        text           NOT NULL,
  request_id    text,
  requested_by  text           NOT NULL,
  approved_by   text,
  concluded_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT return_conclusion_pkey PRIMARY KEY (return_act_id),
  CONSTRAINT return_conclusion_deposit_id_fkey
    FOREIGN KEY (deposit_id) REFERENCES deposit (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT return_conclusion_request_id_fkey
    FOREIGN KEY (request_id) REFERENCES approval_request (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT return_conclusion_result_check CHECK (result IN ('done', 'never')),
  -- What is done has an id in PIX; what never is has none.
  CONSTRAINT return_conclusion_return_id_check
    CHECK ((return_id IS NOT NULL) = (result = 'done') AND return_id ~ '^D[0-9A-Za-z]{31}$'),
  CONSTRAINT return_conclusion_texts_check CHECK (btrim(evidence) <> '' AND btrim(reason) <> ''),
  -- Two people, or one in the sandbox.
  CONSTRAINT return_conclusion_people_check CHECK ((request_id IS NULL) = (approved_by IS NULL)
    AND approved_by IS DISTINCT FROM requested_by)
);
CREATE UNIQUE INDEX return_conclusion_request_id_key ON return_conclusion (request_id);
CREATE INDEX return_conclusion_deposit_id_idx ON return_conclusion (deposit_id);
