-- A day of a statement that was imported wrongly can be taken back by two people, and imported again. Nothing is
-- removed: a line and a comparison count until their day is taken back, and know how often it was before them.
-- Append-only.
CREATE TABLE statement_removal (
  provider     text           NOT NULL,
  day          date           NOT NULL,
  number       integer        NOT NULL,
  line_count   integer        NOT NULL,
  digest       text           NOT NULL,
  reason       text           NOT NULL,
  request_id   text,
  requested_by text           NOT NULL,
  approved_by  text,
  removed_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT statement_removal_pkey PRIMARY KEY (provider, day, number),
  CONSTRAINT statement_removal_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT statement_removal_request_id_fkey
    FOREIGN KEY (request_id) REFERENCES approval_request (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT statement_removal_texts_check CHECK (line_count > 0 AND btrim(reason) <> ''),
  -- Two people, or one in the sandbox.
  CONSTRAINT statement_removal_people_check CHECK ((request_id IS NULL) = (approved_by IS NULL)
    AND approved_by IS DISTINCT FROM requested_by)
);
CREATE UNIQUE INDEX statement_removal_request_id_key ON statement_removal (request_id);

ALTER TABLE statement_line
  ADD COLUMN removals integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT statement_line_pkey,
  ADD CONSTRAINT statement_line_pkey PRIMARY KEY (provider, line_id, day, removals);
ALTER TABLE statement_day ADD COLUMN removals integer NOT NULL DEFAULT 0;
