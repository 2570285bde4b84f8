-- Statements converge (docs/decisions/0015): lines and movements are matched one with one, over all days. What does not
-- match is an item. It closes by itself when it matches, or is explained by two people. The balance that the provider
-- states is compared with the books once a day.

-- A line of a return names it.
ALTER TABLE statement_line ADD COLUMN return_id text;
DROP INDEX statement_line_by_reference;
CREATE INDEX statement_line_by_end_to_end_id ON statement_line (provider, end_to_end_id) WHERE end_to_end_id IS NOT NULL;
CREATE INDEX statement_line_by_return_id ON statement_line (provider, return_id) WHERE return_id IS NOT NULL;

-- The provider's id of a return (`D…`), and the reference that the movement in the books has.
ALTER TABLE return_id ADD COLUMN reference text;
CREATE INDEX return_id_deposit_id_idx ON return_id (deposit_id);

-- Movements are found by the bank's day, and by when the gateway learned of them.
CREATE INDEX bank_movement_settled_at_idx ON bank_movement USING brin (settled_at);
CREATE INDEX bank_movement_recorded_at_idx ON bank_movement USING brin (recorded_at);
CREATE INDEX bank_movement_returns ON bank_movement (part) WHERE part <> '';

-- A difference between an account at its provider and the books. `identity`: the line or the movement; `balance`.
CREATE TABLE statement_item (
  id              text           NOT NULL,
  provider        text           NOT NULL,
  identity        text           NOT NULL,
  day             date           NOT NULL,
  comparison      text           NOT NULL,
  kind            text,
  reference       text           NOT NULL,
  return_id       text,
  line_id         text,
  operation_id    text,
  subject         text,
  statement_minor decimal(38, 0),
  ledger_minor    decimal(38, 0),
  opened_at       timestamptz(3) NOT NULL,
  closed_at       timestamptz(3),

  CONSTRAINT statement_item_pkey PRIMARY KEY (id),
  CONSTRAINT statement_item_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT statement_item_comparison_check CHECK (comparison IN ('missing_here', 'missing_there', 'amount_differs',
    'undecided', 'balance_differs')),
  CONSTRAINT statement_item_sides_check CHECK ((statement_minor IS NULL) = (comparison IN ('missing_there', 'undecided'))
    AND (ledger_minor IS NULL) = (comparison = 'missing_here')
    AND (kind IS NULL) = (comparison = 'balance_differs'))
);
CREATE UNIQUE INDEX statement_item_open_once ON statement_item (provider, identity) WHERE closed_at IS NULL;
CREATE INDEX statement_item_open_by_day ON statement_item (provider, day) WHERE closed_at IS NULL;

-- Why a difference needs nothing more, by two people. Append-only.
CREATE TABLE statement_resolution (
  item_id      text           NOT NULL,
  reason       text           NOT NULL,
  request_id   text,
  requested_by text           NOT NULL,
  approved_by  text,
  resolved_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT statement_resolution_pkey PRIMARY KEY (item_id),
  CONSTRAINT statement_resolution_item_id_fkey
    FOREIGN KEY (item_id) REFERENCES statement_item (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT statement_resolution_request_id_fkey
    FOREIGN KEY (request_id) REFERENCES approval_request (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT statement_resolution_reason_check CHECK (btrim(reason) <> ''),
  -- Two people, or one in the sandbox.
  CONSTRAINT statement_resolution_people_check CHECK ((request_id IS NULL) = (approved_by IS NULL)
    AND approved_by IS DISTINCT FROM requested_by)
);
CREATE UNIQUE INDEX statement_resolution_request_id_key ON statement_resolution (request_id);

-- Differences that people have explained.
ALTER TABLE statement_day ADD COLUMN resolved integer NOT NULL DEFAULT 0;

-- What a provider stated of an account's money, and an hour later what the books had at that moment. `low_minor` and
-- `high_minor`: the bounds of the books, with what was under way.
CREATE TABLE account_balance (
  provider     text           NOT NULL,
  read_at      timestamptz(3) NOT NULL,
  stated_minor decimal(38, 0) NOT NULL,
  ledger_minor decimal(38, 0),
  low_minor    decimal(38, 0),
  high_minor   decimal(38, 0),
  compared_at  timestamptz(3),

  CONSTRAINT account_balance_pkey PRIMARY KEY (provider, read_at),
  CONSTRAINT account_balance_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT account_balance_compared_check CHECK (num_nulls(ledger_minor, low_minor, high_minor, compared_at) IN (0, 4)
    AND ledger_minor BETWEEN low_minor AND high_minor)
);

-- The kind of the request, and its act.
ALTER TABLE approval_request
  DROP CONSTRAINT approval_request_kind_check,
  ADD CONSTRAINT approval_request_kind_check CHECK (kind IN ('key', 'allowlist', 'webhook', 'provider', 'certificate',
    'webhook_secret', 'sealing_key', 'resume', 'automatic_resume', 'provider_resume', 'list_removal', 'cash_movement',
    'player_erasure', 'statement_removal', 'statement_resolution', 'return_conclusion', 'passkey', 'person', 'role',
    'sign_in_code', 'passkey_reset', 'account', 'person_enable')),
  DROP CONSTRAINT approval_request_operation_check,
  ADD CONSTRAINT approval_request_operation_check
    CHECK ((kind IN ('sealing_key', 'provider_resume', 'statement_removal', 'statement_resolution', 'passkey', 'person',
      'role', 'sign_in_code', 'passkey_reset', 'account', 'person_enable')) = (operation_id IS NULL));

ALTER TABLE staff_act
  DROP CONSTRAINT staff_act_kind_check,
  ADD CONSTRAINT staff_act_kind_check CHECK (kind IN ('deposit.approve', 'deposit.return', 'deposit.cancel',
    'withdrawal.approve', 'withdrawal.refuse', 'withdrawal.cancel', 'withdrawal.write_off',
    'rule_change.approve', 'rule_change.reject', 'rule_change.recompute',
    'list.change', 'player.erase', 'operation.create', 'webhook_secret.rotate', 'operation.webhook',
    'operation.provider', 'operation.suspend', 'operation.resume', 'automatic.stop', 'automatic.resume',
    'provider.pause', 'provider.resume', 'return.conclude',
    'cash.move', 'key.request', 'key.revoke', 'allowlist.request', 'certificate.issue', 'certificate.revoke',
    'sealing.change',
    'statement.remove', 'statement.resolve', 'staff.manage', 'passkey.add', 'passkey.remove', 'session.command',
    'access.approve', 'access.reject', 'risk.approve', 'risk.reject', 'destruction.approve')),
  DROP CONSTRAINT staff_act_operation_check,
  ADD CONSTRAINT staff_act_operation_check CHECK (operation_id IS NOT NULL OR kind IN ('sealing.change',
    'access.approve', 'access.reject', 'destruction.approve', 'operation.create', 'provider.pause', 'provider.resume',
    'statement.remove', 'statement.resolve', 'staff.manage', 'passkey.add', 'passkey.remove', 'session.command',
    'risk.approve', 'risk.reject'));
