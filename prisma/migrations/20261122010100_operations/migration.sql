-- Operations and what is configured for them: keys, secrets, networks, certificates, lists.

-- A tenant: one operator's integration, in one environment, with one provider.
CREATE TABLE operation (
  id          text           NOT NULL,
  name        text           NOT NULL,
  environment text           NOT NULL,
  status      text           NOT NULL DEFAULT 'active',
  provider    text           NOT NULL,
  webhook_url text,
  outage      boolean        NOT NULL DEFAULT false,
  -- A person stopped automatic decisions on withdrawals.
  automatic_stopped_at timestamptz(3),
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT operation_pkey PRIMARY KEY (id),
  CONSTRAINT operation_environment_check CHECK (environment IN ('sandbox', 'production')),
  CONSTRAINT operation_status_check CHECK (status IN ('active', 'suspended')),
  CONSTRAINT operation_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT operation_outage_sandbox_only CHECK (NOT outage OR environment = 'sandbox')
);

-- The operation to which an account at a provider belongs, from its first use: its payments end there, so that no other
-- operation's money arrives. Accounts that a slot's operations share have no row.
CREATE TABLE account_owner (
  account      text           NOT NULL,
  operation_id text           NOT NULL,
  since        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT account_owner_pkey PRIMARY KEY (account),
  CONSTRAINT account_owner_account_check CHECK (account ~ '^(simulator|a|b)\.[a-z][a-z0-9]{0,19}$'),
  CONSTRAINT account_owner_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Providers that a person has paused: no charge is created and nothing is sent there.
CREATE TABLE provider_pause (
  provider  text           NOT NULL,
  paused_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  paused_by text           NOT NULL,
  reason    text           NOT NULL,

  CONSTRAINT provider_pause_pkey PRIMARY KEY (provider),
  CONSTRAINT provider_pause_provider_check CHECK (provider ~ '^(simulator|a|b)(\.[a-z][a-z0-9]{0,19})?$'),
  CONSTRAINT provider_pause_reason_check CHECK (length(reason) BETWEEN 1 AND 500 AND reason !~ '[[:cntrl:]]')
);

-- The last event number of an operation. Every transition locks this row first, so events commit in the order of
-- their numbers.
CREATE TABLE operation_counter (
  operation_id   text   NOT NULL,
  event_sequence bigint NOT NULL DEFAULT 0,

  CONSTRAINT operation_counter_pkey PRIMARY KEY (operation_id),
  CONSTRAINT operation_counter_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- API keys; the secret is sealed.
CREATE TABLE api_key (
  key_id        text           NOT NULL,
  operation_id  text           NOT NULL,
  environment   text           NOT NULL,
  secret_sealed bytea          NOT NULL,
  scopes        text[],
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  first_used_at timestamptz(3),
  expires_at    timestamptz(3),
  revoked_at    timestamptz(3),

  CONSTRAINT api_key_pkey PRIMARY KEY (key_id),
  CONSTRAINT api_key_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT api_key_environment_check CHECK (environment IN ('sandbox', 'production'))
);
CREATE INDEX api_key_operation_id_idx ON api_key (operation_id);

-- The secrets that sign an operation's webhooks, sealed.
CREATE TABLE webhook_secret (
  id            text           NOT NULL,
  operation_id  text           NOT NULL,
  secret_sealed bytea          NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at    timestamptz(3),

  CONSTRAINT webhook_secret_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_secret_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX webhook_secret_operation_id_idx ON webhook_secret (operation_id);

-- The source networks that an operation's requests may come from.
CREATE TABLE allowed_network (
  operation_id text NOT NULL,
  cidr         text NOT NULL,

  CONSTRAINT allowed_network_pkey PRIMARY KEY (operation_id, cidr),
  CONSTRAINT allowed_network_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Client certificates issued for an operation. The operator has the certificate itself.
CREATE TABLE client_certificate (
  serial       text           NOT NULL,
  operation_id text           NOT NULL,
  authority    text           NOT NULL,
  fingerprint  text           NOT NULL,
  not_before   timestamptz(3) NOT NULL,
  not_after    timestamptz(3) NOT NULL,
  issued_by    text           NOT NULL,
  revoked_at   timestamptz(3),

  CONSTRAINT client_certificate_pkey PRIMARY KEY (serial),
  CONSTRAINT client_certificate_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT client_certificate_serial_check CHECK (serial ~ '^[0-9a-f]{32}$'),
  -- Specification, "Authentication": valid for 90 days at most.
  CONSTRAINT client_certificate_validity_check
    CHECK (not_after > not_before AND not_after <= not_before + interval '90 days')
);
CREATE INDEX client_certificate_operation_id_idx ON client_certificate (operation_id);
CREATE INDEX client_certificate_authority_idx ON client_certificate (authority);

-- Changes that need a second person before they take effect: keys and allowlists in production.
CREATE TABLE approval_request (
  id           text           NOT NULL,
  operation_id text,
  kind         text           NOT NULL,
  payload      jsonb          NOT NULL,
  requested_by text           NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  status       text           NOT NULL DEFAULT 'pending',
  decided_by   text,
  decided_at   timestamptz(3),

  CONSTRAINT approval_request_pkey PRIMARY KEY (id),
  CONSTRAINT approval_request_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT approval_request_kind_check CHECK (kind IN ('key', 'allowlist', 'webhook', 'provider', 'certificate',
    'webhook_secret', 'sealing_key', 'resume', 'automatic_resume', 'provider_resume', 'list_removal', 'cash_movement',
    'player_erasure')),
  CONSTRAINT approval_request_status_check CHECK (status IN ('pending', 'approved', 'rejected', 'used')),
  -- Two people: the requester may only withdraw.
  CONSTRAINT approval_request_people_check CHECK ((status = 'pending') = (decided_by IS NULL)
    AND (decided_by IS NULL) = (decided_at IS NULL)
    AND (status NOT IN ('approved', 'used') OR decided_by <> requested_by)),
  CONSTRAINT approval_request_used_check CHECK (status <> 'used' OR kind IN ('certificate', 'webhook_secret')),
  CONSTRAINT approval_request_operation_check
    CHECK ((kind IN ('sealing_key', 'provider_resume')) = (operation_id IS NULL))
);
CREATE INDEX approval_request_operation_id_status_idx ON approval_request (operation_id, status);

-- Block and review lists. The value is sealed; its hash answers equality, `network` answers containment of addresses.
CREATE TABLE list_entry (
  operation_id text           NOT NULL,
  list         text           NOT NULL,
  kind         text           NOT NULL,
  value_hash   bytea          NOT NULL,
  value_sealed bytea          NOT NULL,
  network      text,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT list_entry_pkey PRIMARY KEY (operation_id, list, kind, value_hash),
  CONSTRAINT list_entry_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT list_entry_list_check CHECK (list IN ('block', 'review')),
  CONSTRAINT list_entry_kind_check CHECK (kind IN ('player', 'pix_key', 'document', 'ip', 'device'))
);

-- The gateway's staff. A handle never changes; no two fold to the same text (domain/people.ts).
CREATE TABLE staff (
  handle        text           NOT NULL,
  handle_folded text           NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  disabled_at   timestamptz(3),
  oidc_issuer   text,
  oidc_subject  text,

  CONSTRAINT staff_pkey PRIMARY KEY (handle),
  CONSTRAINT staff_handle_check CHECK (length(handle) BETWEEN 1 AND 64 AND handle !~ '[[:cntrl:]@]'),
  CONSTRAINT staff_handle_folded_check CHECK (handle_folded <> ''),
  -- Another identity provider may use the same text for another person.
  CONSTRAINT staff_oidc_check CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL)),
  CONSTRAINT staff_oidc_subject_check CHECK (length(oidc_subject) BETWEEN 1 AND 255 AND oidc_subject !~ '[[:cntrl:]]')
);
CREATE UNIQUE INDEX staff_handle_folded_key ON staff (handle_folded);
CREATE UNIQUE INDEX staff_oidc_issuer_oidc_subject_key ON staff (oidc_issuer, oidc_subject);

-- What a person may do: a role in one operation, or in every one (`*`).
CREATE TABLE staff_role (
  staff_handle text           NOT NULL,
  role         text           NOT NULL,
  operation_id text           NOT NULL,
  granted_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  granted_by   text           NOT NULL,

  CONSTRAINT staff_role_pkey PRIMARY KEY (staff_handle, role, operation_id),
  CONSTRAINT staff_role_staff_handle_fkey
    FOREIGN KEY (staff_handle) REFERENCES staff (handle) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_role_role_check
    CHECK (role IN ('support', 'reviewer', 'approver', 'risk_manager', 'admin', 'auditor')),
  -- Admins have the role everywhere: an admin of one operation could take any role in it.
  CONSTRAINT staff_role_admin_everywhere CHECK (role <> 'admin' OR operation_id = '*')
);

-- A session of a person, by the hash of its token. It ends when it was idle for 30 minutes, after 10 hours, or revoked.
CREATE TABLE staff_session (
  id           text           NOT NULL,
  token_hash   bytea          NOT NULL,
  staff_handle text           NOT NULL,
  means        text           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at   timestamptz(3),
  ticket       text,

  CONSTRAINT staff_session_pkey PRIMARY KEY (id),
  CONSTRAINT staff_session_staff_handle_fkey
    FOREIGN KEY (staff_handle) REFERENCES staff (handle) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_session_means_check CHECK (means IN ('link', 'passkey', 'oidc', 'command_line', 'break_glass')),
  CONSTRAINT staff_session_ticket_check CHECK ((means = 'break_glass') = (coalesce(btrim(ticket), '') <> ''))
);
CREATE UNIQUE INDEX staff_session_token_hash_key ON staff_session (token_hash);

-- A code or link that starts one session, by its hash.
CREATE TABLE staff_sign_in_link (
  token_hash   bytea          NOT NULL,
  staff_handle text           NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by   text           NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  used_at      timestamptz(3),

  CONSTRAINT staff_sign_in_link_pkey PRIMARY KEY (token_hash),
  CONSTRAINT staff_sign_in_link_staff_handle_fkey
    FOREIGN KEY (staff_handle) REFERENCES staff (handle) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- What people sign in and sign acts with. Removing a key sets its time and keeps its row, so that its signatures can still be verified.
CREATE TABLE staff_passkey (
  id           text           NOT NULL,
  staff_handle text           NOT NULL,
  name         text           NOT NULL,
  public_key   bytea          NOT NULL,
  counter      bigint         NOT NULL,
  transports   text[]         NOT NULL,
  is_synced    boolean        NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3),
  removed_at   timestamptz(3),
  removed_by   text,

  CONSTRAINT staff_passkey_pkey PRIMARY KEY (id),
  CONSTRAINT staff_passkey_staff_handle_fkey
    FOREIGN KEY (staff_handle) REFERENCES staff (handle) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_passkey_id_check CHECK (length(id) BETWEEN 16 AND 1400 AND id ~ '^[A-Za-z0-9_-]+$'),
  CONSTRAINT staff_passkey_name_check CHECK (length(name) BETWEEN 1 AND 60 AND name !~ '[[:cntrl:]]'),
  CONSTRAINT staff_passkey_removed_check CHECK ((removed_at IS NULL) = (removed_by IS NULL))
);
CREATE INDEX staff_passkey_staff_handle_idx ON staff_passkey (staff_handle);

-- What an authenticator is asked to sign, or an identity provider to repeat, once.
CREATE TABLE staff_challenge (
  id           text           NOT NULL,
  purpose      text           NOT NULL,
  challenge    bytea          NOT NULL,
  staff_handle text,
  nonce        text,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at   timestamptz(3) NOT NULL,
  used_at      timestamptz(3),

  CONSTRAINT staff_challenge_pkey PRIMARY KEY (id),
  CONSTRAINT staff_challenge_staff_handle_fkey
    FOREIGN KEY (staff_handle) REFERENCES staff (handle) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_challenge_purpose_check CHECK (purpose IN ('sign_in', 'oidc', 'register', 'act')),
  -- The person is not known before signing in.
  CONSTRAINT staff_challenge_handle_check CHECK ((purpose IN ('sign_in', 'oidc')) = (staff_handle IS NULL)),
  CONSTRAINT staff_challenge_nonce_check CHECK ((purpose = 'act') = (nonce IS NOT NULL))
);
CREATE INDEX staff_challenge_expires_at_idx ON staff_challenge (expires_at);

-- Acts of people. An act that a workflow performs is stored before the workflow receives it, and used up by the
-- statement that performs it.
CREATE TABLE staff_act (
  id              text           NOT NULL,
  kind            text           NOT NULL,
  operation_id    text,
  subject_id      text           NOT NULL,
  subject_version integer        NOT NULL,
  subject_digest  text,
  reason          text           NOT NULL,
  evidence        text           NOT NULL DEFAULT '',
  staff_handle    text           NOT NULL,
  session_id      text,
  means           text           NOT NULL,
  signature       jsonb,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at      timestamptz(3) NOT NULL,
  consumed_at     timestamptz(3),
  outcome         text,

  CONSTRAINT staff_act_pkey PRIMARY KEY (id),
  CONSTRAINT staff_act_operation_id_fkey
    FOREIGN KEY (operation_id) REFERENCES operation (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_act_staff_handle_fkey
    FOREIGN KEY (staff_handle) REFERENCES staff (handle) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_act_session_id_fkey
    FOREIGN KEY (session_id) REFERENCES staff_session (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT staff_act_kind_check CHECK (kind IN ('deposit.approve', 'deposit.return', 'deposit.cancel',
    'withdrawal.approve', 'withdrawal.refuse', 'withdrawal.cancel', 'withdrawal.write_off',
    'rule_change.approve', 'rule_change.reject', 'rule_change.recompute',
    'list.change', 'player.erase', 'operation.create', 'webhook_secret.rotate', 'operation.webhook',
    'operation.provider', 'operation.suspend', 'operation.resume', 'automatic.stop', 'automatic.resume',
    'provider.pause', 'provider.resume',
    'cash.move', 'key.request', 'key.revoke', 'allowlist.request', 'certificate.issue', 'certificate.revoke', 'sealing.change',
    'access.approve', 'access.reject', 'risk.approve', 'risk.reject', 'destruction.approve')),
  -- Only acts on the gateway's keys, on a provider, on a request about these, and on a new operation name no operation.
  CONSTRAINT staff_act_operation_check CHECK (operation_id IS NOT NULL OR kind IN ('sealing.change', 'access.reject',
    'destruction.approve', 'operation.create', 'provider.pause', 'provider.resume', 'risk.approve', 'risk.reject')),
  CONSTRAINT staff_act_texts_check CHECK (length(reason) <= 500 AND length(evidence) <= 500
    AND reason !~ '[[:cntrl:]]' AND evidence !~ '[[:cntrl:]]'),
  -- Only a write-off names the provider's written statement.
  CONSTRAINT staff_act_evidence_check CHECK ((kind = 'withdrawal.write_off') = (btrim(evidence) <> '')),
  -- An approval of a change of rules approves a report.
  CONSTRAINT staff_act_digest_check CHECK ((kind = 'rule_change.approve') = (subject_digest IS NOT NULL)),
  CONSTRAINT staff_act_means_check
    CHECK (means IN ('claim', 'simulated', 'link', 'command_line', 'break_glass', 'passkey', 'oidc', 'signature')),
  CONSTRAINT staff_act_session_check CHECK ((means IN ('claim', 'simulated')) = (session_id IS NULL)),
  CONSTRAINT staff_act_signature_check CHECK ((means = 'signature') = (signature IS NOT NULL)),
  CONSTRAINT staff_act_lasts_check CHECK (expires_at > created_at AND expires_at <= created_at + interval '15 minutes'),
  CONSTRAINT staff_act_outcome_check
    CHECK ((consumed_at IS NULL) = (outcome IS NULL) AND outcome IN ('done', 'refused'))
);
CREATE INDEX staff_act_subject_id_idx ON staff_act (subject_id);
