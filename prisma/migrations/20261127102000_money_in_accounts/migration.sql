-- Money lies in accounts at providers: every entry and every balance names its account, so that an operation spends
-- from an account only what that account holds for it.
ALTER TABLE ledger_entry ADD COLUMN provider text NOT NULL;
ALTER TABLE ledger_account
  ADD COLUMN provider text NOT NULL,
  DROP CONSTRAINT ledger_account_pkey,
  ADD CONSTRAINT ledger_account_pkey PRIMARY KEY (operation_id, provider, currency, account);

-- Money that is moved from one account to another: `provider` is where it was.
ALTER TABLE cash_movement
  ADD COLUMN to_provider text,
  DROP CONSTRAINT cash_movement_kind_check,
  ADD CONSTRAINT cash_movement_kind_check CHECK (kind IN ('funding', 'settlement', 'moved', 'suspense_returned',
    'suspense_credited', 'suspense_assigned', 'correction_up', 'correction_down')),
  ADD CONSTRAINT cash_movement_to_provider_check
    CHECK ((to_provider IS NOT NULL) = (kind = 'moved') AND to_provider IS DISTINCT FROM provider);
