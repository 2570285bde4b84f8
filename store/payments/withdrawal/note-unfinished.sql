-- Stores that a look-up found a payout still processing, just now, if the withdrawal is as it was read.
WITH held AS (
  UPDATE withdrawal SET revision = revision + 1
  WHERE id = :id AND operation_id = :operationId AND status = 'processing' AND revision = :revision
  RETURNING id
)
UPDATE payout_send SET traceless_last_at = clock_timestamp()
FROM held WHERE withdrawal_id = held.id AND state = 'known'
RETURNING 1
