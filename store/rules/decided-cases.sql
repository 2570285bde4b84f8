-- A page of the cases that the rules decided, newest first, each with the decision that counted. A creation or payment
-- counts as it was decided last; a dispatch as it was decided first, because later decisions only say how long it
-- waited. Subqueries instead of joins: each is an index probe whatever the planner assumes about table sizes.
SELECT decision.id::text AS id, object_id, stage, decided_at, facts, outcome, thresholds ->> 'timezone' AS timezone,
  -- The last decision after the creation: with the directory's answer, or under review.
  CASE WHEN stage = 'creation' THEN (
    SELECT json_build_object(
      'stage', later.stage, 'facts', later.facts, 'outcome', later.outcome,
      'timezone', later.thresholds ->> 'timezone'
    )
    FROM decision AS later
    WHERE later.object_id = decision.object_id AND later.stage IN ('dict', 'review')
      AND later.decided_at < :through::timestamptz
    ORDER BY later.id DESC LIMIT 1
  ) END AS later,
  coalesce(
    player_ref,
    (SELECT player_ref FROM withdrawal WHERE id = object_id),
    (SELECT player_ref FROM deposit WHERE id = object_id)
  ) AS player_ref,
  CASE stage
    WHEN 'creation' THEN (facts ->> 'amountMinor')::numeric
    WHEN 'review' THEN (facts ->> 'amountMinor')::numeric
    WHEN 'payment' THEN (facts ->> 'paidAmountMinor')::numeric
    ELSE (SELECT amount_minor FROM withdrawal WHERE id = object_id)
  END AS amount_minor
FROM decision
WHERE operation_id = :operationId
  AND decided_at >= :from::timestamptz AND decided_at < :through::timestamptz
  AND (decision.decided_at, decision.id) < (:beforeAt::timestamptz, :beforeId::bigint)
  AND stage <> 'dict'
  -- A judgement under review is a case of its own only if the rules did not decide the creation.
  AND (
    stage <> 'review' OR NOT EXISTS (
      SELECT FROM decision AS first WHERE first.object_id = decision.object_id AND first.stage = 'creation'
    )
  )
  AND decision.id = CASE
    WHEN stage = 'dispatch' THEN (
      SELECT min(other.id) FROM decision AS other
      WHERE other.object_id = decision.object_id AND other.stage = decision.stage
        AND other.decided_at < :through::timestamptz
    )
    ELSE (
      SELECT max(other.id) FROM decision AS other
      WHERE other.object_id = decision.object_id AND other.stage = decision.stage
        AND other.decided_at < :through::timestamptz
    )
  END
ORDER BY decided_at DESC, decision.id DESC LIMIT :page
