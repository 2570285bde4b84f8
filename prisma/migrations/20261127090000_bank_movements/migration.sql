-- Every movement of money at a provider's account, once: unique by the bank's own ids, so that one PIX counts once
-- whatever a provider answers about other charges. `part`: a return within the payment; empty for the payment itself.
-- `object_id` and `step` are those of the ledger's transfer that enters it. Append-only.
CREATE TABLE bank_movement (
  account      text           NOT NULL,
  kind         text           NOT NULL,
  bank_id      text           NOT NULL,
  part         text           NOT NULL,
  operation_id text           NOT NULL,
  object_id    text           NOT NULL,
  step         text           NOT NULL,
  currency     text           NOT NULL,
  amount_minor decimal(38, 0) NOT NULL,
  settled_at   timestamptz(3) NOT NULL,
  said_by      text           NOT NULL,
  recorded_at  timestamptz(3) NOT NULL,

  CONSTRAINT bank_movement_pkey PRIMARY KEY (account, kind, bank_id, part),
  CONSTRAINT bank_movement_account_check CHECK (account ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT bank_movement_kind_check CHECK (kind IN ('received', 'sent', 'returned_to_payer', 'returned_to_us', 'fee',
    'transfer_in', 'transfer_out')),
  CONSTRAINT bank_movement_ids_check CHECK (bank_id <> ''
    AND (part <> '') = (kind IN ('returned_to_payer', 'returned_to_us'))),
  CONSTRAINT bank_movement_amount_check CHECK (amount_minor > 0),
  CONSTRAINT bank_movement_said_by_check CHECK (said_by IN ('provider', 'people'))
);
CREATE UNIQUE INDEX bank_movement_object_id_step_key ON bank_movement (object_id, step);

-- An entry names its object and the object's step: no id is parsed.
DROP INDEX ledger_entry_transfer_id_account_key;
ALTER TABLE ledger_entry
  DROP COLUMN transfer_id,
  ADD COLUMN object_id text NOT NULL,
  ADD COLUMN step text NOT NULL;
CREATE UNIQUE INDEX ledger_entry_object_id_step_account_key ON ledger_entry (object_id, step, account);

-- What has gone back of each payment, part by part: [{of, reference, amountMinor}], and the sum of the own payment's.
ALTER TABLE deposit
  DROP COLUMN reversed_minor,
  ADD COLUMN returned_parts jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN returned_minor decimal(38, 0) NOT NULL DEFAULT 0,
  ADD COLUMN return_in_doubt boolean NOT NULL DEFAULT FALSE,
  ADD CONSTRAINT deposit_returned_minor_check CHECK (returned_minor BETWEEN 0 AND coalesce(paid_amount_minor, amount_minor));
ALTER TABLE withdrawal
  ADD COLUMN returned_parts jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN returned_minor decimal(38, 0) NOT NULL DEFAULT 0,
  ADD CONSTRAINT withdrawal_returned_minor_check CHECK (returned_minor BETWEEN 0 AND amount_minor);

-- Parts that went back settle too.
DROP INDEX ledger_entry_settled_by_day;
CREATE INDEX ledger_entry_settled_by_day ON ledger_entry (operation_id, currency, created_at)
  WHERE (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded',
           'deposit_refunded_in_part', 'deposit_charged_back', 'deposit_charged_back_in_part', 'withdrawal_returned',
           'withdrawal_returned_in_part', 'fee_apart'))
     OR (account = 'pending_out' AND movement = 'withdrawal_paid');
DROP INDEX ledger_entry_settled_in_order;
CREATE INDEX ledger_entry_settled_in_order ON ledger_entry (operation_id, currency, id)
  WHERE (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded',
           'deposit_refunded_in_part', 'deposit_charged_back', 'deposit_charged_back_in_part', 'withdrawal_returned',
           'withdrawal_returned_in_part', 'fee_apart'))
     OR (account = 'pending_out' AND movement = 'withdrawal_paid');
