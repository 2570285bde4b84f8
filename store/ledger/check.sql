-- What differs in the ledger: of one operation, or of all. One statement, so every comparison sees the same snapshot.
WITH
own_entry AS NOT MATERIALIZED (
  SELECT * FROM ledger_entry WHERE :operation::text IS NULL OR operation_id = :operation::text
),
own_account AS NOT MATERIALIZED (
  SELECT * FROM ledger_account WHERE :operation::text IS NULL OR operation_id = :operation::text
),
own_bank_movement AS NOT MATERIALIZED (
  SELECT * FROM bank_movement WHERE :operation::text IS NULL OR operation_id = :operation::text
),
own_deposit AS NOT MATERIALIZED (
  SELECT * FROM deposit WHERE :operation::text IS NULL OR operation_id = :operation::text
),
own_withdrawal AS NOT MATERIALIZED (
  SELECT * FROM withdrawal WHERE :operation::text IS NULL OR operation_id = :operation::text
),
own_cash_movement AS NOT MATERIALIZED (
  SELECT * FROM cash_movement WHERE :operation::text IS NULL OR operation_id = :operation::text
),
item AS NOT MATERIALIZED (
  SELECT * FROM suspense_item WHERE :operation::text IS NULL OR operation_id = :operation::text
),
unbalanced AS (
  SELECT 'transfer_not_balanced' AS kind, operation_id, provider, currency, NULL AS account, object_id AS subject,
    0 AS expected, sum(amount_minor) AS found
  FROM own_entry
  GROUP BY operation_id, provider, currency, object_id, step
),
balances AS (
  SELECT 'balance_differs', operation_id, provider, currency, account, NULL, coalesce(entries.total, 0),
    coalesce(balance_minor, 0)
  FROM own_account
  FULL JOIN (
    SELECT operation_id, provider, currency, account, sum(amount_minor) AS total
    FROM own_entry GROUP BY 1, 2, 3, 4
  ) AS entries USING (operation_id, provider, currency, account)
),
-- The money that each payment's row, or cash movement, requires in each account. Zero if it has no row.
stated AS (
  SELECT operation_id, provider, currency, 'available' AS account, id AS subject, amount_minor - returned_minor AS amount
  FROM own_deposit WHERE status IN ('paid')
  UNION ALL
  SELECT operation_id, provider, currency, 'pending_in', id, coalesce(paid_amount_minor, 0) - returned_minor
  FROM own_deposit WHERE status = 'under_review'
  UNION ALL
  SELECT operation_id, provider, currency, 'available', id, -fee::numeric
  FROM own_deposit, jsonb_each_text(fees) AS listed(payment, fee)
  UNION ALL
  SELECT operation_id, provider, currency, 'pending_out', id, amount_minor
  FROM own_withdrawal WHERE status IN ('requested', 'under_review', 'approved', 'processing')
  UNION ALL
  SELECT operation_id, provider, currency, 'available', id, returned_minor - amount_minor
  FROM own_withdrawal WHERE status NOT IN ('rejected', 'failed', 'cancelled', 'returned')
  UNION ALL
  SELECT operation_id, provider, currency, 'available', id, -fee_minor
  FROM own_withdrawal WHERE fee_minor IS NOT NULL
  UNION ALL
  SELECT operation_id, entry.account, currency, 'available', entry.object_id, -entry.amount_minor
  FROM suspense_entry AS entry JOIN item USING (account, end_to_end_id)
  WHERE movement = 'suspense_recalled'
  UNION ALL
  SELECT operation_id, provider, currency, 'available', id,
    CASE WHEN kind = ANY(:outOfCashBox::text[]) THEN -amount_minor ELSE amount_minor END
  FROM own_cash_movement WHERE kind = ANY(:inOrOutOfCashBox::text[])
  UNION ALL
  SELECT operation_id, to_provider, currency, 'available', id, amount_minor
  FROM own_cash_movement WHERE kind = 'moved'
),
expected AS (
  SELECT operation_id, provider, currency, account, subject, sum(amount) AS amount
  FROM stated GROUP BY 1, 2, 3, 4, 5
),
-- What each payment or cash movement did to each account. Nothing else moves money.
moved AS (
  SELECT operation_id, provider, currency, account, object_id AS subject, sum(amount_minor) AS amount
  FROM own_entry WHERE account IN ('available', 'pending_in', 'pending_out')
  GROUP BY 1, 2, 3, 4, 5
),
-- Each movement at the provider, and the entry in `provider_clearing` of the same object and step.
entered AS (
  SELECT operation_id, provider, currency, object_id, step, kind, amount_minor * sign AS amount
  FROM own_entry
  JOIN unnest(:movements::text[], :bankKinds::text[], :signs::int[]) AS at_bank (movement, kind, sign) USING (movement)
  WHERE account = 'provider_clearing'
),
banked AS (
  SELECT 'bank_movement_differs', operation_id, provider, currency, NULL, object_id, coalesce(bank.amount_minor, 0),
    coalesce(entered.amount, 0)
  FROM (SELECT *, account AS provider FROM own_bank_movement) AS bank
  FULL JOIN entered USING (operation_id, provider, currency, object_id, step, kind)
),
-- Each entry of the ledger in `suspense` is one of an item's, with its amount. What is left of an item is the sum of
-- these, and what its deposit's row leaves. People entered the returns that they are said to have.
item_entry AS (
  SELECT operation_id, currency, entry.*
  FROM item JOIN suspense_entry AS entry USING (account, end_to_end_id)
),
told AS (
  SELECT operation_id, item_entry.account AS provider, currency, end_to_end_id,
    -sum(item_entry.amount_minor) AS amount
  FROM item_entry JOIN bank_movement USING (object_id, step, operation_id, currency)
  WHERE kind = 'returned_to_payer' AND said_by = 'people'
  GROUP BY 1, 2, 3, 4
),
suspense AS (
  SELECT 'suspense_differs', operation_id, provider, currency, 'suspense', coalesce(end_to_end_id, object_id),
    coalesce(item_entry.amount_minor, 0), coalesce(held.amount_minor, 0)
  FROM (SELECT *, account AS provider FROM item_entry) AS item_entry
  FULL JOIN (SELECT * FROM own_entry WHERE account = 'suspense') AS held
    USING (operation_id, provider, currency, object_id, step)
  UNION ALL
  SELECT 'suspense_differs', item.operation_id, item.account, item.currency, 'suspense', item.end_to_end_id,
    found.amount, left_minor
  FROM item LEFT JOIN deposit ON deposit.id = object_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_minor), 0) FROM item_entry
    WHERE item_entry.account = item.account AND item_entry.end_to_end_id = item.end_to_end_id
    UNION ALL
    SELECT item.amount_minor - coalesce((suspense_credits ->> item.end_to_end_id)::numeric, 0)
      - coalesce((
        SELECT sum("amountMinor") FROM jsonb_to_recordset(returned_parts) AS part (of text, "amountMinor" numeric)
        WHERE of = item.end_to_end_id
      ), 0)
  ) AS found (amount)
  UNION ALL
  SELECT 'suspense_differs', operation_id, provider, currency, 'suspense', end_to_end_id,
    coalesce(entered.amount, 0),
    coalesce(told.amount, 0)
  FROM told FULL JOIN (
    SELECT operation_id, provider, currency, document AS end_to_end_id, sum(amount_minor) AS amount
    FROM own_cash_movement WHERE kind = 'suspense_returned' GROUP BY 1, 2, 3, 4
  ) AS entered USING (operation_id, provider, currency, end_to_end_id)
),
payments AS (
  SELECT CASE account WHEN 'pending_out' THEN 'reservation_differs' WHEN 'pending_in' THEN 'held_deposit_differs'
    ELSE 'cash_box_differs' END, operation_id, provider, currency, account, subject,
    coalesce(expected.amount, 0), coalesce(moved.amount, 0)
  FROM expected FULL JOIN moved USING (operation_id, provider, currency, account, subject)
)
SELECT kind, operation_id, provider, currency, account, subject, expected::text AS expected_minor,
  found::text AS found_minor
FROM (SELECT * FROM unbalanced UNION ALL SELECT * FROM balances UNION ALL SELECT * FROM banked
  UNION ALL SELECT * FROM payments UNION ALL SELECT * FROM suspense) AS compared
WHERE expected <> found
ORDER BY kind, operation_id, subject, provider, account
LIMIT :take::int
