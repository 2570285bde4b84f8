-- Whether the charge of a deposit may be requested: the row as it was read, its sealed request, its player, the
-- operation and the environment agree, and its provider is not paused. The answer is the first reason why not.
SELECT CASE
    WHEN deposit.revision <> :revision OR deposit.status <> 'created' THEN 'changed'
    WHEN (deposit.amount_minor, deposit.currency) <> (:amountMinor::numeric, :currency) THEN 'other_amount'
    WHEN player.document_hash IS DISTINCT FROM :documentHash::bytea THEN 'other_document'
    WHEN operation.environment <> :environment THEN 'other_environment'
    WHEN is_paused(deposit.provider) THEN 'provider_paused'
    ELSE 'given'
  END AS permission
FROM deposit
JOIN operation ON operation.id = deposit.operation_id
LEFT JOIN player ON player.operation_id = deposit.operation_id AND player.external_ref = deposit.player_ref
WHERE deposit.id = :id AND deposit.operation_id = :operationId
