-- A new passkey signs nothing before its time, unless a second person confirms it. How long that is, is a setting of
-- the deployment, which only the migration writes.
CREATE TABLE staff_policy (
  id          integer        NOT NULL,
  environment text           NOT NULL,
  wait_hours  integer        NOT NULL,
  since       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT staff_policy_pkey PRIMARY KEY (id),
  CONSTRAINT staff_policy_one CHECK (id = 1),
  CONSTRAINT staff_policy_environment_check CHECK (environment IN ('sandbox', 'production')),
  CONSTRAINT staff_policy_wait_hours_check CHECK (wait_hours BETWEEN 0 AND 720)
);
INSERT INTO staff_policy (id, environment, wait_hours) VALUES (1, 'sandbox', 0);

-- `signs_from` null: somebody gave the code that made the key, and it waits for a second person.
ALTER TABLE staff_passkey
  ADD COLUMN issued_by    text,
  ADD COLUMN signs_from   timestamptz(3) DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN confirmed_by text,
  ADD CONSTRAINT staff_passkey_confirmed_check
    CHECK (confirmed_by IS NULL OR (confirmed_by <> staff_handle AND confirmed_by IS DISTINCT FROM issued_by));

-- Who exists, with which role and by which code or account they sign in, is decided by two people in production.

-- Who asked for the person; null: they created themselves, in a sandbox.
ALTER TABLE staff ADD COLUMN created_by text;

-- A code of production makes a first passkey and nothing else. One for the command is made by its person, in the panel.
ALTER TABLE staff_sign_in_link
  ADD COLUMN purpose text NOT NULL DEFAULT 'sign_in',
  ADD CONSTRAINT staff_sign_in_link_purpose_check CHECK (purpose IN ('sign_in', 'enrolment', 'command'));

-- The kinds of requests and acts that came since, also by migrations before this one.
ALTER TABLE approval_request
  DROP CONSTRAINT approval_request_kind_check,
  ADD CONSTRAINT approval_request_kind_check CHECK (kind IN ('key', 'allowlist', 'webhook', 'provider', 'certificate',
    'webhook_secret', 'sealing_key', 'resume', 'automatic_resume', 'provider_resume', 'list_removal', 'cash_movement',
    'player_erasure', 'statement_removal', 'return_conclusion', 'passkey', 'person', 'role', 'sign_in_code',
    'passkey_reset', 'account', 'person_enable')),
  DROP CONSTRAINT approval_request_operation_check,
  -- A role in one operation is about people all the same.
  ADD CONSTRAINT approval_request_operation_check
    CHECK ((kind IN ('sealing_key', 'provider_resume', 'statement_removal', 'passkey', 'person', 'role', 'sign_in_code',
      'passkey_reset', 'account', 'person_enable')) = (operation_id IS NULL)),
  DROP CONSTRAINT approval_request_used_check,
  ADD CONSTRAINT approval_request_used_check CHECK (status <> 'used' OR kind IN ('certificate', 'webhook_secret',
    'person', 'role', 'sign_in_code', 'passkey_reset', 'account', 'person_enable'));

ALTER TABLE staff_act
  DROP CONSTRAINT staff_act_kind_check,
  ADD CONSTRAINT staff_act_kind_check CHECK (kind IN ('deposit.approve', 'deposit.return', 'deposit.cancel',
    'withdrawal.approve', 'withdrawal.refuse', 'withdrawal.cancel', 'withdrawal.write_off',
    'rule_change.approve', 'rule_change.reject', 'rule_change.recompute',
    'list.change', 'player.erase', 'operation.create', 'webhook_secret.rotate', 'operation.webhook',
    'operation.provider', 'operation.suspend', 'operation.resume', 'automatic.stop', 'automatic.resume',
    'provider.pause', 'provider.resume', 'return.conclude',
    'cash.move', 'key.request', 'key.revoke', 'allowlist.request', 'certificate.issue', 'certificate.revoke',
    'sealing.change',
    'statement.remove', 'staff.manage', 'passkey.add', 'passkey.remove', 'session.command',
    'access.approve', 'access.reject', 'risk.approve', 'risk.reject', 'destruction.approve')),
  DROP CONSTRAINT staff_act_operation_check,
  -- Only acts on the gateway's keys, on a provider or its statement, on people, on a request about these, and on a new
  -- operation name no operation.
  ADD CONSTRAINT staff_act_operation_check CHECK (operation_id IS NOT NULL OR kind IN ('sealing.change',
    'access.approve', 'access.reject', 'destruction.approve', 'operation.create', 'provider.pause', 'provider.resume',
    'statement.remove', 'staff.manage', 'passkey.add', 'passkey.remove', 'session.command', 'risk.approve',
    'risk.reject'));
