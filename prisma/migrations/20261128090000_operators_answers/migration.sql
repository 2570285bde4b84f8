-- People of an operator's desk answer questions about its payments, in named operations only.
ALTER TABLE staff_role DROP CONSTRAINT staff_role_role_check;
ALTER TABLE staff_role
  ADD CONSTRAINT staff_role_role_check CHECK (role IN
    ('support', 'reviewer', 'approver', 'risk_manager', 'admin', 'auditor', 'integrator', 'operator_desk')),
  ADD CONSTRAINT staff_role_operator_desk_somewhere CHECK (role <> 'operator_desk' OR operation_id <> '*');

-- Questions from before were written for the gateway's staff alone: without a version nobody else reads them.
ALTER TABLE case_note
  ADD COLUMN is_operators boolean NOT NULL DEFAULT FALSE,
  ADD COLUMN payment_version integer,
  ADD CONSTRAINT case_note_is_operators_check CHECK (NOT is_operators OR act = 'answer'),
  ADD CONSTRAINT case_note_payment_version_check CHECK (payment_version IS NULL OR (act = 'ask' AND payment_version > 0));

CREATE INDEX case_work_asked ON case_work (operation_id) WHERE is_asked;
CREATE INDEX case_note_operators ON case_note (operation_id, id) WHERE is_operators;
