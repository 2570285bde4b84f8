-- People may also write off a payout that stays processing.
DROP INDEX withdrawal_write_off_idx;
-- Payouts whose write-off a first person has requested: few at any time.
CREATE INDEX withdrawal_write_off_idx ON withdrawal (operation_id)
  WHERE status IN ('approved', 'processing') AND write_offs <> '[]';
