-- Stores an event and puts it into the outbox, in the statement that changes its object. Answers where it goes, if the
-- caller's process makes the first attempt to deliver it; otherwise null: whoever takes it makes the attempt. The event
-- has the time of its change: its body is dated with it when it is opened (store/events/bodies.ts). `p_event` is {"id",
-- "type", "held"}; null: nothing is published. `held` has the object's earlier events whose first attempts the process
-- has under way, or is null if it makes none. An event is not its own while an earlier one waits elsewhere.
CREATE OR REPLACE FUNCTION publish_event(
  p_operation_id text, p_object_id text, p_version integer, p_sequence bigint, p_at timestamptz, p_event jsonb,
  p_body bytea
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  is_mine  boolean := FALSE;
  v_due_at timestamptz := now();
BEGIN
  IF p_event IS NULL THEN
    RETURN NULL;
  END IF;
  IF jsonb_typeof(p_event -> 'held') = 'array' THEN
    is_mine := NOT EXISTS (
      SELECT FROM event AS earlier JOIN event_outbox AS waiting ON waiting.event_id = earlier.id
      WHERE earlier.operation_id = p_operation_id AND earlier.object_id = p_object_id
        AND waiting.request = '' AND waiting.attempts = 0 AND NOT p_event -> 'held' ? earlier.id
    );
  END IF;
  IF is_mine THEN
    v_due_at := attempt_left_until(0);
  END IF;
  INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
  VALUES (p_event ->> 'id', p_operation_id, p_sequence, p_event ->> 'type', p_object_id, p_version, p_body, p_at);
  -- An operation without a webhook URL has no deliveries.
  INSERT INTO event_outbox (event_id, operation_id, due_at)
  SELECT p_event ->> 'id', id, v_due_at
  FROM operation WHERE id = p_operation_id AND webhook_url IS NOT NULL;
  IF is_mine THEN
    RETURN delivery_target(p_operation_id);
  END IF;
  RETURN NULL;
END
$$;
