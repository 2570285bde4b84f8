-- Enters movements of money of a payment in the books, in the statement that changes the payment: at the bank, in
-- suspense, in the ledger, and in the balances of the account. A movement at the bank that is in the books already
-- fails the statement. `p_movements` is {"bank", "items", "entries"}, as store/payments/effects.ts writes them, and
-- `p_item_payer` the sealed payer of the one that comes into suspense.
CREATE OR REPLACE FUNCTION book_movements(
  p_operation_id text, p_object_id text, p_provider text, p_currency text, p_at timestamptz, p_movements jsonb,
  p_item_payer bytea DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_movements IS NULL THEN
    RETURN;
  END IF;
  IF p_movements -> 'bank' <> '[]' THEN
    INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
      settled_at, said_by, recorded_at)
    SELECT p_provider, bank.kind, bank.bank_id, bank.part, p_operation_id, p_object_id, bank.step, p_currency,
      bank.amount, bank.settled_at, bank.said_by, p_at
    FROM jsonb_to_recordset(p_movements -> 'bank')
      AS bank(step text, kind text, bank_id text, part text, amount numeric, settled_at timestamptz, said_by text);
  END IF;
  -- Money that comes into suspense is an item there, and leaves it by its entries.
  IF p_movements -> 'items' <> '[]' THEN
    INSERT INTO suspense_item (account, end_to_end_id, operation_id, object_id, currency, amount_minor, received_at,
      recorded_at, payer_sealed)
    SELECT p_provider, received.item, p_operation_id, p_object_id, p_currency, received.amount, received.received_at,
      p_at, p_item_payer
    FROM jsonb_to_recordset(p_movements -> 'items') AS received(item text, amount numeric, received_at timestamptz)
    WHERE received.received_at IS NOT NULL;
    INSERT INTO suspense_entry (object_id, step, movement, account, end_to_end_id, amount_minor)
    SELECT p_object_id, entered.step, entered.movement, p_provider, entered.item, entered.amount
    FROM jsonb_to_recordset(p_movements -> 'items') AS entered(step text, movement text, item text, amount numeric);
  END IF;
  WITH entries AS (
    INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
      created_at)
    SELECT p_operation_id, p_provider, p_object_id, posting.step, posting.movement, p_currency, posting.account,
      posting.amount, p_at
    FROM jsonb_to_recordset(p_movements -> 'entries')
      AS posting(step text, movement text, account text, amount numeric)
    RETURNING account, amount_minor
  )
  INSERT INTO ledger_account (operation_id, provider, currency, account, balance_minor)
  SELECT p_operation_id, p_provider, p_currency, account, sum(amount_minor) FROM entries
  GROUP BY account ORDER BY account
  ON CONFLICT (operation_id, provider, currency, account)
  DO UPDATE SET balance_minor = ledger_account.balance_minor + EXCLUDED.balance_minor;
END
$$;
