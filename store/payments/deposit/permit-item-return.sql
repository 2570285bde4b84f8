-- Whether a late or extra payment of a deposit, as it was read, may be returned: two people ordered it, or one in the
-- sandbox, and nobody has concluded it; it is in suspense with at least this money, and no other deposit has the
-- payment.
SELECT CASE
    WHEN deposit.revision <> :revision
      OR EXISTS (SELECT FROM return_conclusion AS concluded WHERE concluded.return_act_id = :actId) THEN 'changed'
    WHEN operation.environment <> :environment THEN 'other_environment'
    WHEN NOT EXISTS (
      SELECT FROM item_return AS ordered
      WHERE ordered.id = :actId AND ordered.deposit_id = deposit.id AND ordered.end_to_end_id = :endToEndId
        AND ordered.amount_minor = :amountMinor::numeric
        AND (ordered.approved_by IS NOT NULL OR operation.environment = 'sandbox')
    ) THEN 'not_decided'
    WHEN NOT EXISTS (
      SELECT FROM suspense_item AS item
      WHERE item.account = deposit.provider AND item.end_to_end_id = :endToEndId AND item.object_id = deposit.id
        AND item.currency = deposit.currency AND item.left_minor >= :amountMinor::numeric
    ) THEN 'not_in_ledger'
    WHEN EXISTS (
      SELECT FROM deposit AS other WHERE other.end_to_end_id = :endToEndId AND other.id <> deposit.id
    ) THEN 'other_payment'
    ELSE 'given'
  END AS permission
FROM deposit
JOIN operation ON operation.id = deposit.operation_id
WHERE deposit.id = :id AND deposit.operation_id = :operationId
