-- Whether a ledger entry settles a payment or a fee: an item of a day. One expression, worded like the partial indexes
-- ledger_entry_settled_by_day and ledger_entry_settled_in_order, so that Postgres puts it in place and uses them.
CREATE OR REPLACE FUNCTION settles(account text, movement text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (account = 'available' AND movement IN ('deposit_credited', 'deposit_released', 'deposit_refunded',
      'deposit_refunded_in_part', 'deposit_charged_back', 'deposit_charged_back_in_part', 'withdrawal_returned',
      'withdrawal_returned_in_part', 'fee_apart'))
    OR (account = 'pending_out' AND movement = 'withdrawal_paid')
$$;
