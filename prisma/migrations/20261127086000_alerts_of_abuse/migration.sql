-- Whom an alert of abuse is about, and the outbox of what is sent on about alerts.

-- Handles of staff: whose act raised the alert, and who gained by it. Neither of them ends an alert of abuse
-- (prisma/functions/keep_abuse_alert.sql).
ALTER TABLE alert ADD COLUMN caused_by text, ADD COLUMN gained_by text;
-- All alerts that were ever raised are counted by kind, for the metrics.
CREATE INDEX alert_kind_idx ON alert (kind);

DROP TRIGGER IF EXISTS alert_passkey_kept ON alert;
DROP FUNCTION IF EXISTS keep_passkey_alert();

-- One row for each alert that was raised and has not been sent to all of its targets. Written with the alert, by a
-- trigger; removed when every target has accepted it, or when it is none that is sent.
CREATE TABLE alert_notice (
  alert_id   text           NOT NULL,
  -- The targets that have accepted it.
  sent_to    text[]         NOT NULL DEFAULT '{}',
  -- Rounds of attempts, each at all targets that are left.
  attempts   integer        NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- From when any process may take it: whoever makes an attempt has until then.
  due_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT alert_notice_pkey PRIMARY KEY (alert_id),
  CONSTRAINT alert_notice_alert_id_fkey
    FOREIGN KEY (alert_id) REFERENCES alert (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT alert_notice_attempts_check CHECK (attempts >= 0),
  CONSTRAINT alert_notice_sent_to_check CHECK (sent_to <@ ARRAY['webhook', 'email', 'pager'])
);
CREATE INDEX alert_notice_due_at_idx ON alert_notice (due_at);
