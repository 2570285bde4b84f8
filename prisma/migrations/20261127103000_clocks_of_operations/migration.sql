-- The clock of an operation of the sandbox: {revision, offsetMs, frozenAt}; null: real time. Nobody has one in
-- production. `clock_held_until`: until when one advance has it for itself.
ALTER TABLE operation
  ADD COLUMN clock jsonb,
  ADD COLUMN clock_held_until timestamptz(3),
  ADD CONSTRAINT operation_clock_check CHECK (environment = 'sandbox' OR (clock IS NULL AND clock_held_until IS NULL)),
  ADD CONSTRAINT operation_clock_shape_check CHECK (clock IS NULL OR (
    jsonb_typeof(clock -> 'revision') = 'number' AND jsonb_typeof(clock -> 'offsetMs') = 'number' AND clock ? 'frozenAt'));
