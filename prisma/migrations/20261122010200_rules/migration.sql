-- Rule sets, proposed changes of them, and what the rules decided.

-- The versions of an operation's rules. `engine` holds the engine's own thresholds.
CREATE TABLE rule_set_version (
  operation_id text           NOT NULL,
  version      integer        NOT NULL,
  rules        jsonb          NOT NULL,
  engine       jsonb,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by   text           NOT NULL,

  CONSTRAINT rule_set_version_pkey PRIMARY KEY (operation_id, version),
  CONSTRAINT rule_set_version_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Proposed changes of rules: the proof of what they would have decided, and the people who approved its digest.
CREATE TABLE rule_change_request (
  id              text           NOT NULL,
  operation_id    text           NOT NULL,
  base_version    integer        NOT NULL,
  rules           jsonb          NOT NULL,
  engine          jsonb,
  justification   text           NOT NULL,
  requested_by    text           NOT NULL,
  status          text           NOT NULL DEFAULT 'pending_approval',
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  decided_at      timestamptz(3),
  decided_by      text[],
  decisions       jsonb          NOT NULL DEFAULT '[]',
  applied_version integer,
  proof           jsonb,
  proof_digest    text,
  proof_number    integer        NOT NULL DEFAULT 0,

  CONSTRAINT rule_change_request_pkey PRIMARY KEY (id),
  CONSTRAINT rule_change_request_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT rule_change_request_operation_id_applied_version_fkey
    FOREIGN KEY (operation_id, applied_version) REFERENCES rule_set_version (operation_id, version)
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT rule_change_request_status_check
    CHECK (status IN ('pending_approval', 'approved', 'rejected', 'superseded', 'expired')),
  CONSTRAINT rule_change_request_applied_check CHECK ((status = 'approved') = (applied_version IS NOT NULL)),
  CONSTRAINT rule_change_request_proof_check CHECK ((proof IS NULL) = (proof_digest IS NULL))
);
CREATE INDEX rule_change_request_operation_id_status_idx ON rule_change_request (operation_id, status);
CREATE INDEX rule_change_request_status_created_at_idx ON rule_change_request (status, created_at);

-- Every decision with its facts, so that it can be explained and evaluated again. Append-only.
CREATE TABLE decision (
  id               bigserial      NOT NULL,
  operation_id     text           NOT NULL,
  object_id        text           NOT NULL,
  stage            text           NOT NULL,
  rule_set_version integer        NOT NULL,
  facts            jsonb          NOT NULL,
  thresholds       jsonb          NOT NULL,
  verdicts         jsonb          NOT NULL,
  outcome          jsonb          NOT NULL,
  digest           text           NOT NULL,
  decided_at       timestamptz(3) NOT NULL,
  player_ref       text,

  CONSTRAINT decision_pkey PRIMARY KEY (id)
);
-- A decision is stored once, even if its activity is retried.
CREATE UNIQUE INDEX decision_object_id_stage_digest_key ON decision (object_id, stage, digest);
CREATE INDEX decision_operation_id_decided_at_id_idx ON decision (operation_id, decided_at, id);

-- What an operation paid out automatically in its current hour and day: the counter behind the automatic cap.
CREATE TABLE automatic_use (
  operation_id text           NOT NULL,
  currency     text           NOT NULL,
  hour         text           NOT NULL,
  hour_minor   decimal(38, 0) NOT NULL,
  day          text           NOT NULL,
  day_minor    decimal(38, 0) NOT NULL,

  CONSTRAINT automatic_use_pkey PRIMARY KEY (operation_id, currency),
  CONSTRAINT automatic_use_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
) WITH (fillfactor = 50);
