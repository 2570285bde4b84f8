-- Late and extra payments go back through the provider: two people order it, and the deposit's workflow asks until it is
-- done or refused. `return_request` names the payment, and what had gone back of it before.
CREATE TABLE item_return (
  id            text           NOT NULL,
  operation_id  text           NOT NULL,
  deposit_id    text           NOT NULL,
  account       text           NOT NULL,
  end_to_end_id text           NOT NULL,
  amount_minor  decimal(38, 0) NOT NULL,
  reason        text           NOT NULL,
  request_id    text,
  requested_by  text           NOT NULL,
  approved_by   text,
  ordered_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT item_return_pkey PRIMARY KEY (id),
  CONSTRAINT item_return_deposit_id_fkey
    FOREIGN KEY (deposit_id) REFERENCES deposit (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT item_return_account_end_to_end_id_fkey
    FOREIGN KEY (account, end_to_end_id) REFERENCES suspense_item (account, end_to_end_id)
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT item_return_request_id_fkey
    FOREIGN KEY (request_id) REFERENCES approval_request (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT item_return_amount_check CHECK (amount_minor > 0),
  CONSTRAINT item_return_reason_check CHECK (btrim(reason) <> ''),
  -- Two people, or one in the sandbox.
  CONSTRAINT item_return_people_check CHECK ((request_id IS NULL) = (approved_by IS NULL)
    AND approved_by IS DISTINCT FROM requested_by)
);
CREATE UNIQUE INDEX item_return_request_id_key ON item_return (request_id);
CREATE INDEX item_return_deposit_id_idx ON item_return (deposit_id);
CREATE INDEX item_return_account_end_to_end_id_idx ON item_return (account, end_to_end_id);

-- Returns that are under way, whatever state their deposits are in.
CREATE INDEX deposit_returning ON deposit (operation_id, sequence) WHERE return_request IS NOT NULL;

-- The kind of the request.
ALTER TABLE approval_request
  DROP CONSTRAINT approval_request_kind_check,
  ADD CONSTRAINT approval_request_kind_check CHECK (kind IN ('key', 'allowlist', 'webhook', 'provider', 'certificate',
    'webhook_secret', 'sealing_key', 'resume', 'automatic_resume', 'provider_resume', 'list_removal', 'cash_movement',
    'player_erasure', 'statement_removal', 'statement_resolution', 'item_return', 'return_conclusion', 'passkey',
    'person', 'role', 'sign_in_code', 'passkey_reset', 'account', 'person_enable'));

-- Who paid a late or extra payment: people see it before they send it back.
ALTER TABLE suspense_item ADD COLUMN payer_sealed bytea;
-- It takes the payer now.
DROP FUNCTION IF EXISTS book_movements(text, text, text, text, timestamptz, jsonb);
