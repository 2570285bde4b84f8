-- Suspense is a list of late and extra payments, not one number: each item has what is left of it, never below zero and
-- never more than the payment. Only a trigger of `suspense_entry` changes what is left. Items stay when nothing is.
CREATE TABLE suspense_item (
  account       text           NOT NULL,
  end_to_end_id text           NOT NULL,
  operation_id  text           NOT NULL,
  object_id     text           NOT NULL,
  currency      text           NOT NULL,
  amount_minor  decimal(38, 0) NOT NULL,
  left_minor    decimal(38, 0) NOT NULL DEFAULT 0,
  received_at   timestamptz(3) NOT NULL,
  recorded_at   timestamptz(3) NOT NULL,

  CONSTRAINT suspense_item_pkey PRIMARY KEY (account, end_to_end_id),
  CONSTRAINT suspense_item_account_check CHECK (account ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT suspense_item_left_check CHECK (left_minor BETWEEN 0 AND amount_minor)
);
CREATE INDEX suspense_item_operation_id_end_to_end_id_idx ON suspense_item (operation_id, end_to_end_id);
-- The items that people look at, oldest first.
CREATE INDEX suspense_item_left ON suspense_item (operation_id, received_at, end_to_end_id) WHERE left_minor > 0;

-- What a movement of the ledger did to an item, signed. `object_id` and `step` are those of its entries: each counts once.
-- Append-only.
CREATE TABLE suspense_entry (
  object_id     text           NOT NULL,
  step          text           NOT NULL,
  movement      text           NOT NULL,
  account       text           NOT NULL,
  end_to_end_id text           NOT NULL,
  amount_minor  decimal(38, 0) NOT NULL,

  CONSTRAINT suspense_entry_pkey PRIMARY KEY (object_id, step),
  CONSTRAINT suspense_entry_account_end_to_end_id_fkey
    FOREIGN KEY (account, end_to_end_id) REFERENCES suspense_item (account, end_to_end_id)
    ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT suspense_entry_amount_check CHECK (amount_minor <> 0
    AND (amount_minor > 0) = (movement IN ('late_payment_received', 'suspense_recalled')))
);
CREATE INDEX suspense_entry_account_end_to_end_id_idx ON suspense_entry (account, end_to_end_id);

ALTER TABLE deposit
  ADD COLUMN suspense_credits jsonb NOT NULL DEFAULT '{}';

ALTER TABLE cash_movement
  ADD COLUMN return_id text,
  DROP CONSTRAINT cash_movement_kind_check,
  ADD CONSTRAINT cash_movement_kind_check CHECK (kind IN ('funding', 'settlement', 'suspense_returned',
    'suspense_credited', 'suspense_assigned', 'correction_up', 'correction_down')),
  ADD CONSTRAINT cash_movement_return_id_check CHECK (return_id IS NULL
    OR (kind = 'suspense_returned' AND return_id ~ '^D[0-9A-Za-z]{31}$'));
