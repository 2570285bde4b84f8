-- The time of the last change of an operation's payments: the next change has a later one, so that `updated_at` grows
-- in the order in which changes can be seen.
ALTER TABLE operation_counter ADD COLUMN changed_at timestamptz(3);
