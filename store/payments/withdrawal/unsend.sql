-- Ends an attempt that has the permission to send a payout and provably sent nothing.
WITH held AS (
  UPDATE withdrawal SET revision = revision + 1 FROM payout_send
  WHERE withdrawal.id = :id AND payout_send.withdrawal_id = withdrawal.id
    AND payout_send.state = 'claimed' AND payout_send.attempt = :attempt
  RETURNING withdrawal.id
)
UPDATE payout_send SET state = 'not_sent' FROM held
WHERE payout_send.withdrawal_id = held.id AND payout_send.state = 'claimed' AND payout_send.attempt = :attempt
RETURNING 1
