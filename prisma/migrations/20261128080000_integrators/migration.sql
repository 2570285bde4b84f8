-- A role of an operator's own people, each in named operations: everywhere they would see other operators.
ALTER TABLE staff_role DROP CONSTRAINT staff_role_role_check;
ALTER TABLE staff_role
  ADD CONSTRAINT staff_role_role_check
    CHECK (role IN ('support', 'reviewer', 'approver', 'risk_manager', 'admin', 'auditor', 'integrator')),
  ADD CONSTRAINT staff_role_integrator_somewhere CHECK (role <> 'integrator' OR operation_id <> '*');
