-- Every question is about a version of its payment: once that has changed, an answer would decide nothing. Questions
-- that were asked before have none, and stay as they are: notes are append-only.
ALTER TABLE case_note
  DROP CONSTRAINT case_note_payment_version_check,
  ADD CONSTRAINT case_note_payment_version_check CHECK ((act = 'ask') = (payment_version IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT case_note_payment_version_positive CHECK (payment_version > 0);
