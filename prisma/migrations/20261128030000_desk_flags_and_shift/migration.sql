-- Who decided may flag the decision as a mistake; it is a note and undoes nothing.
ALTER TABLE case_note DROP CONSTRAINT case_note_act_check;
ALTER TABLE case_note ADD CONSTRAINT case_note_act_check
  CHECK (act IN ('note', 'assign', 'give_back', 'snooze', 'wake', 'escalate', 'deescalate', 'flag'));

-- The figures of a shift read the acts of the last hours.
CREATE INDEX staff_act_created_at_idx ON staff_act (created_at);
