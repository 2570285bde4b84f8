-- The audit trail, and the keys that seal values.

-- Acts of people, chained by their hashes. Append-only.
CREATE TABLE audit_entry (
  sequence      bigint         NOT NULL,
  act_key       text,
  at            timestamptz(3) NOT NULL,
  person        text           NOT NULL,
  action        text           NOT NULL,
  operation_id  text,
  subject       text,
  detail        text           NOT NULL,
  previous_hash text           NOT NULL,
  hash          text           NOT NULL,

  CONSTRAINT audit_entry_pkey PRIMARY KEY (sequence)
);
CREATE UNIQUE INDEX audit_entry_act_key_key ON audit_entry (act_key);
CREATE INDEX audit_entry_operation_id_sequence_idx ON audit_entry (operation_id, sequence);
CREATE INDEX audit_entry_subject_sequence_idx ON audit_entry (subject, sequence);

-- The state of the audit trail at a time, signed with a key that the database does not have. Append-only, and exported.
CREATE TABLE audit_seal (
  number    bigint         NOT NULL,
  sequence  bigint         NOT NULL,
  hashes    text[]         NOT NULL,
  previous  text           NOT NULL,
  sealed_at timestamptz(3) NOT NULL,
  key_id    text           NOT NULL,
  signature text           NOT NULL,

  CONSTRAINT audit_seal_pkey PRIMARY KEY (number),
  CONSTRAINT audit_seal_number_positive CHECK (number > 0),
  CONSTRAINT audit_seal_covers_entries CHECK (cardinality(hashes) BETWEEN 1 AND sequence)
);
CREATE UNIQUE INDEX audit_seal_sequence_key ON audit_seal (sequence);

-- Data keys, wrapped by a vault's master keys: one of each purpose under an id.
CREATE TABLE data_key (
  id          text           NOT NULL,
  purpose     text           NOT NULL,
  wrapped     text           NOT NULL,
  active_from timestamptz(3) NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  retired_at  timestamptz(3),

  CONSTRAINT data_key_pkey PRIMARY KEY (purpose, id),
  CONSTRAINT data_key_purpose_check CHECK (purpose IN ('payments', 'orders', 'responses', 'events', 'lists', 'api_keys',
    'webhook_secrets', 'callbacks', 'look_up')),
  CONSTRAINT data_key_look_up_stays CHECK (purpose <> 'look_up' OR retired_at IS NULL)
);
-- Hashes must stay comparable: there is one hash key, and it is never replaced.
CREATE UNIQUE INDEX data_key_one_look_up ON data_key (purpose) WHERE purpose = 'look_up';

-- When each key was last used for sealing: a process that started later has sealed nothing with it.
CREATE TABLE sealing_key_use (
  key_id        text           NOT NULL,
  first_used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT sealing_key_use_pkey PRIMARY KEY (key_id)
);

-- What a check of the gateway itself found last.
CREATE TABLE self_check (
  name         text           NOT NULL,
  ran_at       timestamptz(3) NOT NULL,
  succeeded_at timestamptz(3),
  problems     integer        NOT NULL,
  figures      jsonb          NOT NULL,

  CONSTRAINT self_check_pkey PRIMARY KEY (name)
);
