-- Players and their payments, what providers reported, and alerts.

-- A player of an operation. The document is fixed at first use; `revision` rises with every payment.
CREATE TABLE player (
  operation_id    text           NOT NULL,
  external_ref    text           NOT NULL,
  document_hash   bytea          NOT NULL,
  document_sealed bytea          NOT NULL,
  revision        bigint         NOT NULL DEFAULT 0,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  erased_at       timestamptz(3),
  histories_erased_at timestamptz(3),

  CONSTRAINT player_pkey PRIMARY KEY (operation_id, external_ref),
  CONSTRAINT player_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX player_operation_id_document_hash_idx ON player (operation_id, document_hash);
-- Those whose Temporal histories are to be deleted; few at any time.
CREATE INDEX player_erased_at_idx ON player (erased_at) WHERE erased_at IS NOT NULL AND histories_erased_at IS NULL;

-- Deposits: money from a player. `revision` rises with every write: a step stores only what it read before.
CREATE TABLE deposit (
  id                      text           NOT NULL,
  sequence                bigserial      NOT NULL,
  operation_id            text           NOT NULL,
  external_id             text           NOT NULL,
  status                  text           NOT NULL,
  version                 integer        NOT NULL,
  revision                integer        NOT NULL DEFAULT 1,
  amount_minor            decimal(38, 0) NOT NULL,
  currency                text           NOT NULL,
  paid_amount_minor       decimal(38, 0),
  method                  text           NOT NULL,
  player_ref              text           NOT NULL,
  provider                text           NOT NULL,
  -- Dialect and version of the provider's documentation by which the last answer that changed the row was read.
  contract                text,
  request_sealed          bytea          NOT NULL,
  payer_sealed            bytea,
  payer_document_hash     bytea,
  copy_paste              text,
  qr_code_png_base64      text,
  instructions_expires_at timestamptz(3),
  end_to_end_id           text,
  failure_code            text,
  review_reasons          text[],
  review_since            timestamptz(3),
  decided_by              jsonb          NOT NULL DEFAULT '[]',
  return_request          jsonb,
  extra_payments          text[]         NOT NULL DEFAULT ARRAY[]::text[],
  -- What the provider took for each payment: minor units by end-to-end id.
  fees                    jsonb          NOT NULL DEFAULT '{}',
  -- What was returned of the payment, not by us, while the deposit was under review.
  reversed_minor          decimal(38, 0) NOT NULL DEFAULT 0,
  late_payment            boolean        NOT NULL DEFAULT false,
  created_at              timestamptz(3) NOT NULL,
  updated_at              timestamptz(3) NOT NULL,
  paid_at                 timestamptz(3),
  expires_at              timestamptz(3) NOT NULL,

  CONSTRAINT deposit_pkey PRIMARY KEY (id),
  CONSTRAINT deposit_status_check CHECK (status IN ('created', 'pending', 'under_review', 'paid', 'expired',
    'cancelled', 'failed', 'returned', 'refunded', 'chargeback')),
  CONSTRAINT deposit_version_check CHECK (version >= 1),
  CONSTRAINT deposit_amount_check CHECK (amount_minor > 0),
  CONSTRAINT deposit_paid_in_full_check CHECK (status <> 'paid' OR paid_amount_minor = amount_minor)
);
CREATE UNIQUE INDEX deposit_operation_id_external_id_key ON deposit (operation_id, external_id);
CREATE UNIQUE INDEX deposit_operation_id_sequence_key ON deposit (operation_id, sequence);
CREATE INDEX deposit_operation_id_player_ref_sequence_idx ON deposit (operation_id, player_ref, sequence);
CREATE INDEX deposit_operation_id_status_sequence_idx ON deposit (operation_id, status, sequence);
CREATE INDEX deposit_operation_id_updated_at_idx ON deposit (operation_id, updated_at);
-- Which other players a payer has paid for: one probe on either side of the player. And when last for this one.
CREATE INDEX deposit_operation_id_payer_document_hash_player_ref_paid_at_idx
  ON deposit (operation_id, payer_document_hash, player_ref, paid_at);
-- A player's latest deposits, for the rules: read from the index alone.
CREATE INDEX deposit_counted_of_player ON deposit (operation_id, player_ref, currency, created_at)
  INCLUDE (amount_minor, id)
  WHERE status NOT IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback');
CREATE INDEX deposit_unpaid_of_player ON deposit (operation_id, player_ref, currency, created_at)
  INCLUDE (id) WHERE paid_at IS NULL;
CREATE INDEX deposit_settled_of_player ON deposit (operation_id, player_ref, currency, paid_at)
  INCLUDE (amount_minor) WHERE status IN ('paid');
-- The review queue: what waits, with what it is sorted by.
CREATE INDEX deposit_under_review ON deposit (operation_id, review_since, id)
  INCLUDE (amount_minor, paid_amount_minor) WHERE status = 'under_review';
CREATE INDEX deposit_by_end_to_end_id ON deposit (end_to_end_id) WHERE end_to_end_id IS NOT NULL;

-- Withdrawals: money to a player. `revision` as in deposits.
CREATE TABLE withdrawal (
  id               text           NOT NULL,
  sequence         bigserial      NOT NULL,
  operation_id     text           NOT NULL,
  external_id      text           NOT NULL,
  status           text           NOT NULL,
  version          integer        NOT NULL,
  revision         integer        NOT NULL DEFAULT 1,
  amount_minor     decimal(38, 0) NOT NULL,
  currency         text           NOT NULL,
  fee_minor        decimal(38, 0),
  method           text           NOT NULL,
  player_ref       text           NOT NULL,
  provider         text           NOT NULL,
  -- As in deposit.
  contract         text,
  request_sealed   bytea          NOT NULL,
  destination_type text           NOT NULL,
  destination_hash bytea          NOT NULL,
  ip_hash          bytea,
  device_hash      bytea,
  review_requested boolean        NOT NULL,
  key_owner        text           NOT NULL DEFAULT 'not_asked',
  lookup_end_to_end_id text,
  judgement        text           NOT NULL,
  decision_mode    text           NOT NULL,
  decision_reasons text[],
  review_since     timestamptz(3),
  rule_set_version integer        NOT NULL,
  decided_by       jsonb          NOT NULL DEFAULT '[]',
  decided_at       timestamptz(3),
  psp_reference    text,
  failure_code     text,
  created_at       timestamptz(3) NOT NULL,
  updated_at       timestamptz(3) NOT NULL,
  paid_at          timestamptz(3),
  write_offs       jsonb          NOT NULL DEFAULT '[]',

  CONSTRAINT withdrawal_pkey PRIMARY KEY (id),
  CONSTRAINT withdrawal_status_check CHECK (status IN ('requested', 'under_review', 'approved', 'processing', 'paid',
    'rejected', 'failed', 'cancelled', 'returned')),
  CONSTRAINT withdrawal_version_check CHECK (version >= 1),
  CONSTRAINT withdrawal_amount_check CHECK (amount_minor > 0),
  CONSTRAINT withdrawal_mode_check CHECK (decision_mode IN ('automatic', 'manual')),
  CONSTRAINT withdrawal_key_owner_check CHECK (key_owner IN ('not_asked', 'match', 'weak_match', 'at_send',
    'mismatch', 'no_such_key', 'unavailable')),
  CONSTRAINT withdrawal_judgement_check CHECK (judgement IN ('none', 'passed', 'refused')),
  -- Nothing is sent that the rules did not judge or that they refused.
  CONSTRAINT withdrawal_judged_check CHECK (status NOT IN ('approved', 'processing', 'paid') OR judgement = 'passed')
);
CREATE UNIQUE INDEX withdrawal_operation_id_external_id_key ON withdrawal (operation_id, external_id);
CREATE UNIQUE INDEX withdrawal_operation_id_sequence_key ON withdrawal (operation_id, sequence);
CREATE INDEX withdrawal_operation_id_player_ref_sequence_idx ON withdrawal (operation_id, player_ref, sequence);
CREATE INDEX withdrawal_operation_id_status_sequence_idx ON withdrawal (operation_id, status, sequence);
CREATE INDEX withdrawal_operation_id_updated_at_idx ON withdrawal (operation_id, updated_at);
-- Which other players used a PIX key: one probe on either side of the player. And when this one did.
CREATE INDEX withdrawal_operation_id_destination_hash_player_ref_created_idx
  ON withdrawal (operation_id, destination_hash, player_ref, created_at);
CREATE INDEX withdrawal_operation_id_player_ref_created_at_idx ON withdrawal (operation_id, player_ref, created_at);
-- A player's latest withdrawals that count, for the rules: read from the index alone.
CREATE INDEX withdrawal_counted_of_player ON withdrawal (operation_id, player_ref, currency, created_at)
  INCLUDE (amount_minor, sequence) WHERE status NOT IN ('rejected', 'failed', 'cancelled', 'returned');
CREATE INDEX withdrawal_under_review ON withdrawal (operation_id, review_since, id)
  INCLUDE (amount_minor) WHERE status = 'under_review';
-- Lost payouts whose write-off a first person has requested: few at any time.
CREATE INDEX withdrawal_write_off_idx ON withdrawal (operation_id) WHERE status = 'approved' AND write_offs <> '[]';
CREATE INDEX withdrawal_by_psp_reference ON withdrawal (psp_reference) WHERE psp_reference IS NOT NULL;

-- Kept sums of a player's payments of one kind: of all time, and of the latest UTC days of created_at.
CREATE TABLE player_sum (
  operation_id  text           NOT NULL,
  player_ref    text           NOT NULL,
  kind          text           NOT NULL,
  currency      text           NOT NULL,
  counted_minor decimal(38, 0) NOT NULL,
  settled_minor decimal(38, 0) NOT NULL,
  settled_count integer        NOT NULL,
  days          jsonb          NOT NULL,

  CONSTRAINT player_sum_pkey PRIMARY KEY (operation_id, player_ref, kind, currency),
  CONSTRAINT player_sum_kind_check CHECK (kind IN ('deposit', 'withdrawal'))
) WITH (fillfactor = 50);

-- What a player's payments have contained, by look-up hash.
CREATE TABLE player_trait (
  operation_id   text   NOT NULL,
  player_ref     text   NOT NULL,
  kind           text   NOT NULL,
  value_hash     bytea  NOT NULL,
  first_sequence bigint NOT NULL,

  CONSTRAINT player_trait_pkey PRIMARY KEY (operation_id, player_ref, kind, value_hash),
  CONSTRAINT player_trait_kind_check CHECK (kind IN ('pix_key', 'ip', 'device', 'payer'))
);

-- The one permission to send a payout, and what is known of the send. `attempt`: the holder of the permission.
CREATE TABLE payout_send (
  withdrawal_id      text           NOT NULL,
  reference          text           NOT NULL,
  state              text           NOT NULL,
  cleared_at         timestamptz(3) NOT NULL,
  attempt            text,
  claimed_at         timestamptz(3),
  traceless_look_ups integer        NOT NULL DEFAULT 0,
  traceless_since    timestamptz(3),
  traceless_last_at  timestamptz(3),

  CONSTRAINT payout_send_pkey PRIMARY KEY (withdrawal_id),
  CONSTRAINT payout_send_state_check CHECK (state IN ('cleared', 'claimed', 'not_sent', 'known')),
  CONSTRAINT payout_send_withdrawal_id_fkey
    FOREIGN KEY (withdrawal_id) REFERENCES withdrawal (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX payout_send_reference_key ON payout_send (reference);

-- Callbacks of providers as received, sealed. A repeated one is counted and not stored again.
CREATE TABLE provider_callback (
  id          bigserial      NOT NULL,
  provider    text           NOT NULL,
  digest      bytea          NOT NULL,
  body_sealed bytea          NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  repetitions integer        NOT NULL DEFAULT 0,
  passed_on_at timestamptz(3),

  CONSTRAINT provider_callback_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX provider_callback_digest_key ON provider_callback (digest);
CREATE INDEX provider_callback_received_at_idx ON provider_callback USING brin (received_at);

-- How far each list of an account was read, and the position of its sweep.
CREATE TABLE account_sweep (
  provider     text           NOT NULL,
  part         text           NOT NULL,
  begun_at     timestamptz(3) NOT NULL,
  through      timestamptz(3),
  swept_at     timestamptz(3),
  reading_from timestamptz(3),
  reading_to   timestamptz(3),
  cursor       text,

  CONSTRAINT account_sweep_pkey PRIMARY KEY (provider, part),
  CONSTRAINT account_sweep_mark CHECK ((through IS NULL) = (swept_at IS NULL)),
  CONSTRAINT account_sweep_place CHECK (num_nonnulls(reading_from, reading_to, cursor) IN (0, 3)),
  CONSTRAINT account_sweep_part CHECK (part IN ('payments', 'returns', 'payouts', 'payout_returns', 'disputes'))
);

-- Received PIX that a provider lists and no deposit showed: a lost callback, or money of no deposit.
CREATE TABLE unexplained_receipt (
  provider      text           NOT NULL,
  end_to_end_id text           NOT NULL,
  reference     text,
  deposit_id    text,
  amount_minor  numeric(38, 0) NOT NULL,
  received_at   timestamptz(3) NOT NULL,
  returns       text           NOT NULL,
  found_at      timestamptz(3) NOT NULL,
  settled_at    timestamptz(3),

  CONSTRAINT unexplained_receipt_pkey PRIMARY KEY (provider, end_to_end_id),
  CONSTRAINT unexplained_receipt_deposit_id_fkey
    FOREIGN KEY (deposit_id) REFERENCES deposit (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX unexplained_receipt_open_idx ON unexplained_receipt (provider) WHERE settled_at IS NULL;

-- Payouts and their returns that a provider lists and no withdrawal showed.
CREATE TABLE unexplained_payout (
  provider      text           NOT NULL,
  payout_id     text           NOT NULL,
  end_to_end_id text,
  withdrawal_id text,
  amount_minor  numeric(38, 0) NOT NULL,
  sent_at       timestamptz(3) NOT NULL,
  is_settled    boolean        NOT NULL,
  returns       text           NOT NULL,
  found_at      timestamptz(3) NOT NULL,
  explained_at  timestamptz(3),

  CONSTRAINT unexplained_payout_pkey PRIMARY KEY (provider, payout_id),
  CONSTRAINT unexplained_payout_withdrawal_id_fkey
    FOREIGN KEY (withdrawal_id) REFERENCES withdrawal (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX unexplained_payout_open_idx ON unexplained_payout (provider) WHERE explained_at IS NULL;

-- Received PIX that the payer's bank claims back (MED), as the provider lists the case.
CREATE TABLE dispute (
  provider      text           NOT NULL,
  dispute_id    text           NOT NULL,
  end_to_end_id text           NOT NULL,
  deposit_id    text,
  operation_id  text,
  amount_minor  numeric(38, 0),
  status        text           NOT NULL,
  reason        text,
  opened_at     timestamptz(3) NOT NULL,
  due_at        timestamptz(3),
  found_at      timestamptz(3) NOT NULL,
  changed_at    timestamptz(3) NOT NULL,

  CONSTRAINT dispute_pkey PRIMARY KEY (provider, dispute_id),
  CONSTRAINT dispute_status CHECK (status IN ('open', 'defended', 'accepted', 'rejected', 'canceled')),
  CONSTRAINT dispute_deposit_id_fkey
    FOREIGN KEY (deposit_id) REFERENCES deposit (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT dispute_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX dispute_open_idx ON dispute (provider) WHERE status = 'open';
CREATE INDEX dispute_by_operation ON dispute (operation_id, opened_at, dispute_id);

-- The ids of returns (`D…`) that providers reported, and the deposit of each: bank statements show only these.
CREATE TABLE return_id (
  return_id  text           NOT NULL,
  deposit_id text           NOT NULL,
  noted_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT return_id_pkey PRIMARY KEY (return_id),
  CONSTRAINT return_id_deposit_id_fkey
    FOREIGN KEY (deposit_id) REFERENCES deposit (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What a person should look at. `occasion` names the event that an alert is about.
CREATE TABLE alert (
  id           text           NOT NULL,
  operation_id text,
  kind         text           NOT NULL,
  object_id    text,
  detail       text           NOT NULL,
  occasion     text,
  created_at   timestamptz(3) NOT NULL,
  assigned_to  text,
  resolved_at  timestamptz(3),
  resolved_by  text,
  resolution   text,

  CONSTRAINT alert_pkey PRIMARY KEY (id),
  CONSTRAINT alert_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX alert_resolved_at_created_at_idx ON alert (resolved_at, created_at);
CREATE INDEX alert_by_object ON alert (object_id) WHERE object_id IS NOT NULL;
CREATE INDEX alert_by_occasion ON alert (occasion) WHERE occasion IS NOT NULL;
-- A lasting condition has one open alert. An occasion has one alert, resolved or not.
CREATE UNIQUE INDEX alert_open_once ON alert (kind, coalesce(object_id, ''), coalesce(operation_id, ''))
  WHERE resolved_at IS NULL AND occasion IS NULL;
CREATE UNIQUE INDEX alert_once_of_an_occasion
  ON alert (kind, coalesce(object_id, ''), coalesce(operation_id, ''), occasion)
  WHERE occasion IS NOT NULL;

-- Who is looking at a case. Advisory, so it may be lost: others can decide the case too.
CREATE UNLOGGED TABLE review_claim (
  payment_id   text           NOT NULL,
  staff_handle text           NOT NULL,
  expires_at   timestamptz(3) NOT NULL,

  CONSTRAINT review_claim_pkey PRIMARY KEY (payment_id)
);
