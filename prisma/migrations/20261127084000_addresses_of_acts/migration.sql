-- Where a person's act came from, for the audit trail: the address of the browser's connection, as the panel's edge
-- names it. The gateway command names none.
ALTER TABLE staff_act
  ADD COLUMN address text,
  ADD CONSTRAINT staff_act_address_check CHECK (length(address) BETWEEN 2 AND 45);
