-- Why a value is on a list, who put it there, and until when it counts.
ALTER TABLE list_entry
  ADD COLUMN reason     text           NOT NULL DEFAULT '',
  ADD COLUMN added_by   text,
  -- NULL: until somebody removes it.
  ADD COLUMN expires_at timestamptz(3),
  ADD CONSTRAINT list_entry_reason_check CHECK (char_length(reason) <= 500);
