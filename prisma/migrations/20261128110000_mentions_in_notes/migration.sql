-- A note may name people (@person), who then find it: until now nobody did.
ALTER TABLE case_note ADD COLUMN mentions text[] NOT NULL DEFAULT '{}';
CREATE INDEX case_note_mentions_idx ON case_note USING gin (mentions);
