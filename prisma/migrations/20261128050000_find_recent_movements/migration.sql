-- The newest pages of a BRIN index are read whole until they are summarised: at once, and not only by the next vacuum.
-- Small ranges, since what is asked for is a day or an hour.
DROP INDEX bank_movement_settled_at_idx;
DROP INDEX bank_movement_recorded_at_idx;
CREATE INDEX bank_movement_settled_at_idx ON bank_movement USING brin (settled_at)
  WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX bank_movement_recorded_at_idx ON bank_movement USING brin (recorded_at)
  WITH (pages_per_range = 16, autosummarize = on);
