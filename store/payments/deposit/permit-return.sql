-- Whether the payment of a deposit, as it was read, may be returned: a person requested it by an act that is used up,
-- and nobody has concluded it; the ledger holds exactly this money for it, and no other deposit has the payment.
SELECT CASE
    WHEN NOT coalesce(deposit.revision = :revision AND deposit.status = 'under_review'
        AND deposit.return_request ->> 'actId' = :actId AND deposit.end_to_end_id = :endToEndId
        AND NOT deposit.return_in_doubt
        AND deposit.paid_amount_minor - deposit.returned_minor = :amountMinor::numeric, FALSE)
      OR EXISTS (SELECT FROM return_conclusion AS concluded WHERE concluded.return_act_id = :actId) THEN 'changed'
    WHEN NOT EXISTS (
      SELECT FROM staff_act AS act
      WHERE act.id = :actId AND act.kind = 'deposit.return' AND act.subject_id = deposit.id
        AND act.operation_id = deposit.operation_id AND act.subject_version = deposit.version
        AND act.outcome = 'done'
    ) THEN 'not_decided'
    WHEN deposit.paid_amount_minor - deposit.returned_minor IS DISTINCT FROM (
      SELECT sum(entry.amount_minor) FROM ledger_entry AS entry
      WHERE entry.object_id = deposit.id AND entry.account = 'pending_in'
        AND entry.operation_id = deposit.operation_id AND entry.provider = deposit.provider
        AND entry.currency = deposit.currency
    ) THEN 'not_in_ledger'
    WHEN EXISTS (
      SELECT FROM deposit AS other WHERE other.end_to_end_id = deposit.end_to_end_id AND other.id <> deposit.id
    ) THEN 'other_payment'
    WHEN operation.environment <> :environment THEN 'other_environment'
    ELSE 'given'
  END AS permission
FROM deposit
JOIN operation ON operation.id = deposit.operation_id
WHERE deposit.id = :id AND deposit.operation_id = :operationId
