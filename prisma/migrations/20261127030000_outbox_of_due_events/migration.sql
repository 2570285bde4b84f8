-- The outbox has every event whose delivery is not over, with the time from which any process may take it.

DROP TABLE event_outbox;

-- Written with the event, removed when the operator accepts it. A `request` is a delivery that somebody asked for:
-- empty for the event's own, `range` for one of a span of time. No foreign keys: events and operations are never
-- removed. Vacuumed often: every row is removed soon.
CREATE TABLE event_outbox (
  event_id     text           NOT NULL,
  request      text           NOT NULL DEFAULT '',
  operation_id text           NOT NULL,
  -- Attempts that its schedule has made.
  attempts     integer        NOT NULL DEFAULT 0,
  -- From when any process may take it: whoever makes the next attempt has until then.
  due_at       timestamptz(3) NOT NULL,

  CONSTRAINT event_outbox_pkey PRIMARY KEY (event_id, request),
  CONSTRAINT event_outbox_attempts_check CHECK (attempts >= 0 AND (attempts = 0 OR request = ''))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX event_outbox_due_at_idx ON event_outbox (due_at);
-- The span of time that is being delivered again, of which an operation has one at a time.
CREATE INDEX event_outbox_ranges ON event_outbox (operation_id) WHERE request = 'range';
