-- A person asks the operator about a case, and notes the answer. It holds up no decision.
ALTER TABLE case_work ADD COLUMN is_asked boolean NOT NULL DEFAULT FALSE;

ALTER TABLE case_note DROP CONSTRAINT case_note_act_check;
ALTER TABLE case_note ADD CONSTRAINT case_note_act_check
  CHECK (act IN ('note', 'assign', 'give_back', 'snooze', 'wake', 'escalate', 'deescalate', 'flag', 'ask', 'answer'));
