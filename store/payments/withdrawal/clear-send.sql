-- Stores that the checks before the send of a payout passed, with their decision, if the withdrawal is approved and as
-- it was read, and no attempt has the permission.
WITH held AS (
  UPDATE withdrawal SET revision = revision + 1
  WHERE id = :id AND operation_id = :operationId AND status = 'approved' AND judgement = 'passed'
    AND revision = :revision
  RETURNING id
),
cleared AS (
  INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at)
  SELECT id, :reference, 'cleared', :clearedAt::timestamptz FROM held
  ON CONFLICT (withdrawal_id) DO UPDATE
  SET state = 'cleared', cleared_at = EXCLUDED.cleared_at, attempt = NULL, claimed_at = NULL
  WHERE payout_send.state IN ('cleared', 'not_sent')
  RETURNING 1
)
SELECT store_decision(:decision::jsonb) FROM cleared
