-- Events and their deliveries, the ledger, and closed days.

-- The source of deliveries and replays: one row per transition that has an event. Append-only, except for resealing.
CREATE TABLE event (
  id             text           NOT NULL,
  operation_id   text           NOT NULL,
  sequence       bigint         NOT NULL,
  type           text           NOT NULL,
  object_id      text           NOT NULL,
  object_version integer        NOT NULL,
  body_sealed    bytea          NOT NULL,
  created_at     timestamptz(3) NOT NULL,

  CONSTRAINT event_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX event_operation_id_sequence_key ON event (operation_id, sequence);
CREATE UNIQUE INDEX event_object_id_object_version_key ON event (object_id, object_version);
CREATE INDEX event_operation_id_object_id_sequence_idx ON event (operation_id, object_id, sequence);
-- Events are written in the order of their time: an index by blocks finds a span of it and costs an insert nothing.
CREATE INDEX event_created_at_idx ON event USING brin (created_at);

-- Events that no process has taken yet to deliver them, for a moment each. Written with the event where the process that
-- stores it does not deliver it. No foreign key: a row is written with its event, and events are never removed. Vacuumed
-- often: every row is removed soon.
CREATE TABLE event_outbox (
  id       bigserial NOT NULL,
  event_id text      NOT NULL,

  CONSTRAINT event_outbox_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Every attempt to deliver an event to an operator.
CREATE TABLE webhook_delivery (
  id              bigserial      NOT NULL,
  operation_id    text           NOT NULL,
  event_id        text           NOT NULL,
  attempt         integer        NOT NULL,
  sent_at         timestamptz(3) NOT NULL,
  response_status integer,
  error           text,
  duration_ms     integer        NOT NULL,
  next_attempt_at timestamptz(3),

  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_delivery_operation_id_id_idx ON webhook_delivery (operation_id, id);
CREATE INDEX webhook_delivery_event_id_idx ON webhook_delivery (event_id);
-- Failed deliveries, for the people who investigate them.
CREATE INDEX webhook_delivery_not_accepted ON webhook_delivery (operation_id, id)
  WHERE response_status IS NULL OR response_status NOT BETWEEN 200 AND 299;
-- Failed attempts that will be repeated: the events that wait for an operator's endpoint.
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- The balances of an operation's accounts: always the sum of their entries.
CREATE TABLE ledger_account (
  operation_id  text           NOT NULL,
  currency      text           NOT NULL,
  account       text           NOT NULL,
  balance_minor decimal(38, 0) NOT NULL DEFAULT 0,

  CONSTRAINT ledger_account_pkey PRIMARY KEY (operation_id, currency, account),
  CONSTRAINT ledger_account_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- One side of a transfer; the entries of a `transfer_id` sum to zero. Append-only.
CREATE TABLE ledger_entry (
  id           bigserial      NOT NULL,
  operation_id text           NOT NULL,
  transfer_id  text           NOT NULL,
  movement     text           NOT NULL,
  currency     text           NOT NULL,
  account      text           NOT NULL,
  amount_minor decimal(38, 0) NOT NULL,
  created_at   timestamptz(3) NOT NULL,

  CONSTRAINT ledger_entry_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_entry_amount_check CHECK (amount_minor <> 0)
);
CREATE UNIQUE INDEX ledger_entry_transfer_id_account_key ON ledger_entry (transfer_id, account);
CREATE INDEX ledger_entry_operation_id_account_idx ON ledger_entry (operation_id, account);
-- What settles, by day and in the order of commits. store/reconciliation/freeze.ts writes the conditions the same way.
CREATE INDEX ledger_entry_settled_by_day ON ledger_entry (operation_id, currency, created_at)
  WHERE (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded',
           'deposit_charged_back', 'withdrawal_returned', 'fee_apart'))
     OR (account = 'pending_out' AND movement = 'withdrawal_paid');
CREATE INDEX ledger_entry_settled_in_order ON ledger_entry (operation_id, currency, id)
  WHERE (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded',
           'deposit_charged_back', 'withdrawal_returned', 'fee_apart'))
     OR (account = 'pending_out' AND movement = 'withdrawal_paid');
CREATE INDEX ledger_entry_late_payments ON ledger_entry (operation_id, currency, created_at)
  WHERE account = 'suspense' AND movement = 'late_payment_received';

-- Comparisons with a provider's statement read by time.
CREATE INDEX ledger_entry_created_at_idx ON ledger_entry USING brin (created_at);

-- The lines of a provider's statement, as people imported it. `day`: the day of the statement. Append-only.
CREATE TABLE statement_line (
  provider      text           NOT NULL,
  line_id       text           NOT NULL,
  day           date           NOT NULL,
  kind          text           NOT NULL,
  end_to_end_id text,
  amount_minor  decimal(38, 0) NOT NULL,
  settled_at    timestamptz(3) NOT NULL,
  imported_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT statement_line_pkey PRIMARY KEY (provider, line_id),
  CONSTRAINT statement_line_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT statement_line_kind_check CHECK (kind IN ('received', 'sent', 'returned_to_payer', 'returned_to_us', 'fee',
    'transfer_in', 'transfer_out')),
  CONSTRAINT statement_line_amount_check CHECK (amount_minor > 0)
);
CREATE INDEX statement_line_provider_day_idx ON statement_line (provider, day);
CREATE INDEX statement_line_by_reference ON statement_line (provider, coalesce(end_to_end_id, line_id));

-- The result of comparing a day. A later comparison is another revision. Append-only.
CREATE TABLE statement_day (
  provider       text           NOT NULL,
  day            date           NOT NULL,
  revision       integer        NOT NULL,
  line_count     integer        NOT NULL,
  matched        integer        NOT NULL,
  missing_here   integer        NOT NULL,
  missing_there  integer        NOT NULL,
  amount_differs integer        NOT NULL,
  undecided      integer        NOT NULL,
  differences    jsonb          NOT NULL,
  digest         text           NOT NULL,
  compared_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  compared_by    text           NOT NULL,

  CONSTRAINT statement_day_pkey PRIMARY KEY (provider, day, revision),
  CONSTRAINT statement_day_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$')
);

-- Money that moved and was no payment: who requested it, who approved it, and the document. Its transfer has its id.
-- Append-only.
CREATE TABLE cash_movement (
  id           text           NOT NULL,
  operation_id text           NOT NULL,
  -- The operation's provider at that time: the money moved into or out of the account there.
  provider     text           NOT NULL,
  kind         text           NOT NULL,
  currency     text           NOT NULL,
  amount_minor decimal(38, 0) NOT NULL,
  document     text           NOT NULL,
  reason       text           NOT NULL,
  request_id   text,
  requested_by text           NOT NULL,
  approved_by  text,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT cash_movement_pkey PRIMARY KEY (id),
  CONSTRAINT cash_movement_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- One movement for each approved request.
  CONSTRAINT cash_movement_request_id_fkey
    FOREIGN KEY (request_id) REFERENCES approval_request (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT cash_movement_kind_check CHECK (kind IN ('funding', 'settlement', 'suspense_returned', 'suspense_credited', 'correction_up',
    'correction_down')),
  CONSTRAINT cash_movement_amount_check CHECK (amount_minor > 0),
  CONSTRAINT cash_movement_texts_check CHECK (btrim(document) <> '' AND btrim(reason) <> ''),
  -- Two people approve in production; the sandbox makes a movement at once, without a request.
  CONSTRAINT cash_movement_people_check CHECK ((request_id IS NULL) = (approved_by IS NULL)
    AND (approved_by IS NULL OR approved_by <> requested_by))
);
CREATE UNIQUE INDEX cash_movement_request_id_key ON cash_movement (request_id);
CREATE INDEX cash_movement_operation_id_created_at_idx ON cash_movement (operation_id, created_at);

-- A closed day of an operation in one currency, frozen once: totals and the digest of its items. Append-only.
CREATE TABLE reconciliation_day (
  operation_id           text           NOT NULL,
  currency               text           NOT NULL,
  date                   date           NOT NULL,
  item_count             integer        NOT NULL,
  carried_count          integer        NOT NULL,
  deposits_paid_minor    decimal(60, 0) NOT NULL,
  withdrawals_paid_minor decimal(60, 0) NOT NULL,
  refunds_minor          decimal(60, 0) NOT NULL,
  chargebacks_minor      decimal(60, 0) NOT NULL,
  fees_minor             decimal(60, 0) NOT NULL,
  digest                 text           NOT NULL,
  through_entry_id       bigint         NOT NULL,
  frozen_at              timestamptz(3) NOT NULL,

  CONSTRAINT reconciliation_day_pkey PRIMARY KEY (operation_id, currency, date),
  CONSTRAINT reconciliation_day_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT reconciliation_day_digest_check CHECK (digest ~ '^[0-9a-f]{64}$')
);

-- The items of a frozen day, in the bytes that are served. No ledger entry is reported twice. Append-only.
CREATE TABLE reconciliation_item (
  operation_id text    NOT NULL,
  currency     text    NOT NULL,
  date         date    NOT NULL,
  position     integer NOT NULL,
  entry_id     bigint  NOT NULL,
  body         text    NOT NULL,

  CONSTRAINT reconciliation_item_pkey PRIMARY KEY (operation_id, currency, date, position),
  CONSTRAINT reconciliation_item_operation_id_currency_date_fkey
    FOREIGN KEY (operation_id, currency, date) REFERENCES reconciliation_day (operation_id, currency, date)
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT reconciliation_item_position_check CHECK (position >= 1)
);
CREATE UNIQUE INDEX reconciliation_item_entry_id_key ON reconciliation_item (entry_id);
