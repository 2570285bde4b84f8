-- Takes the permission to send a payout for one attempt, if this payout is due: the row as it was read, its sealed
-- request, the ledger, who decided it, the operation and the environment agree, its checks are fresh, and nobody
-- forbids it. Reasons that only tampering leads to come before those of honest use.
WITH asked AS (
  SELECT CASE
      WHEN withdrawal.status <> 'approved' OR withdrawal.judgement <> 'passed' OR withdrawal.revision <> :revision
        OR payout_send.state IS DISTINCT FROM 'cleared' THEN 'changed'
      WHEN (withdrawal.amount_minor, withdrawal.currency) <> (:amountMinor::numeric, :currency) THEN 'other_amount'
      WHEN withdrawal.destination_hash <> :destinationHash::bytea THEN 'other_destination'
      WHEN player.document_hash IS DISTINCT FROM :documentHash::bytea THEN 'other_document'
      -- What was reserved and is neither released nor paid.
      WHEN withdrawal.amount_minor IS DISTINCT FROM (
        SELECT sum(entry.amount_minor) FROM ledger_entry AS entry
        WHERE entry.object_id = withdrawal.id AND entry.account = 'pending_out'
          AND entry.operation_id = withdrawal.operation_id AND entry.provider = withdrawal.provider
          AND entry.currency = withdrawal.currency
      ) THEN 'not_in_ledger'
      -- The rules alone decided it if their stored decision says so and it was never under review (a trigger keeps
      -- `review_since`). Otherwise as many people must have approved it as the reasons require, those of the row and
      -- those of the stored decision.
      WHEN NOT CASE withdrawal.decision_mode
        WHEN 'automatic' THEN withdrawal.review_since IS NULL
          AND coalesce(judged.outcome @> '{"kind": "automatic"}', FALSE)
        -- The different people whose acts approved the version before this one. `done`: the act is used up.
        WHEN 'manual' THEN (
          SELECT count(DISTINCT act.staff_handle) FROM staff_act AS act
          WHERE act.subject_id = withdrawal.id AND act.operation_id = withdrawal.operation_id
            AND act.kind = 'withdrawal.approve' AND act.subject_version = withdrawal.version - 1
            AND act.outcome = 'done'
        ) >= CASE
          WHEN :needsTwoPeople = ANY(withdrawal.decision_reasons) THEN 2
          WHEN judged.outcome -> 'reasons' ? :needsTwoPeople THEN 2
          ELSE 1 END
        ELSE FALSE END THEN 'not_decided'
      WHEN operation.environment <> :environment THEN 'other_environment'
      WHEN NOT payout_send.cleared_at > clock_timestamp() - make_interval(secs => :clearanceSeconds::integer)
        THEN 'checks_too_old'
      ELSE payout_forbidden(withdrawal.operation_id, withdrawal.id)
    END AS refusal
  FROM withdrawal
  JOIN operation ON operation.id = withdrawal.operation_id
  LEFT JOIN payout_send ON payout_send.withdrawal_id = withdrawal.id
  LEFT JOIN player ON player.operation_id = withdrawal.operation_id AND player.external_ref = withdrawal.player_ref
  -- The outcome of the rules' last decision before the checks of the send.
  CROSS JOIN LATERAL (
    SELECT (array_agg(decision.outcome ORDER BY decision.id DESC))[1] AS outcome FROM decision
    WHERE decision.object_id = withdrawal.id AND decision.operation_id = withdrawal.operation_id
      AND decision.stage IN ('creation', 'dict', 'review')
  ) AS judged
  WHERE withdrawal.id = :id AND withdrawal.operation_id = :operationId
),
held AS (
  UPDATE withdrawal SET revision = revision + 1 FROM asked, payout_send
  WHERE asked.refusal IS NULL AND withdrawal.id = :id AND withdrawal.operation_id = :operationId
    AND withdrawal.status = 'approved' AND withdrawal.judgement = 'passed' AND withdrawal.revision = :revision
    AND payout_send.withdrawal_id = withdrawal.id AND payout_send.state = 'cleared'
    AND payout_send.cleared_at > clock_timestamp() - make_interval(secs => :clearanceSeconds::integer)
  RETURNING withdrawal.id
),
claimed AS (
  UPDATE payout_send SET state = 'claimed', attempt = :attempt, claimed_at = clock_timestamp(),
    traceless_look_ups = 0, traceless_since = NULL, traceless_last_at = NULL
  FROM held
  WHERE payout_send.withdrawal_id = held.id AND payout_send.state = 'cleared'
    AND payout_send.cleared_at > clock_timestamp() - make_interval(secs => :clearanceSeconds::integer)
  RETURNING 1
)
SELECT (SELECT count(*) FROM claimed)::integer AS number, (SELECT refusal FROM asked) AS refusal
