-- Counts a look-up of a payout that was answered and found nothing, if the withdrawal is as it was read and the outcome
-- of its send is open.
WITH held AS (
  UPDATE withdrawal SET revision = revision + 1
  WHERE id = :id AND operation_id = :operationId AND status = 'approved' AND judgement = 'passed'
    AND revision = :revision
  RETURNING id
)
UPDATE payout_send SET
  traceless_look_ups = CASE WHEN :isTraced THEN 0 ELSE traceless_look_ups END + 1,
  traceless_since = CASE WHEN :isTraced THEN :at::timestamptz ELSE coalesce(traceless_since, :at::timestamptz) END,
  traceless_last_at = clock_timestamp()
FROM held WHERE withdrawal_id = held.id AND state = 'claimed'
RETURNING 1
