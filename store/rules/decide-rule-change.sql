-- Stores a person's decision on a change of rules that puts none in force, if the request is as it was read and the
-- person's act may be done.
WITH held AS (
  SELECT id FROM rule_change_request
  WHERE id = :id AND operation_id = :operationId AND status = 'pending_approval'
    AND jsonb_array_length(decisions) = :decisionsBefore AND proof_digest IS NOT DISTINCT FROM :digestBefore::text
  FOR UPDATE
),
used AS MATERIALIZED (
  SELECT use_act(:act::jsonb, :operationId, :id, :version) AS may_change FROM held
),
changed AS (
  UPDATE rule_change_request SET status = :status, decided_at = :decidedAt::timestamptz,
    decisions = :decisions::jsonb, decided_by = :decidedBy::text[]
  FROM held, used WHERE rule_change_request.id = held.id AND used.may_change
  RETURNING 1
)
SELECT audit_act(:audit::jsonb) FROM changed
