-- Where an operation's events go (SealedTarget of store/events/deliveries.ts): its URL, its clock and the secrets that
-- sign, sealed: during a rotation two.
CREATE OR REPLACE FUNCTION delivery_target(p_operation_id text) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('url', operation.webhook_url, 'clock', operation.clock, 'secrets', coalesce((
      SELECT jsonb_agg(
        jsonb_build_object('id', id, 'sealed', encode(secret_sealed, 'base64')) ORDER BY created_at DESC
      ) FROM (
        SELECT id, secret_sealed, created_at FROM webhook_secret
        WHERE operation_id = operation.id AND (expires_at IS NULL OR expires_at > operation_time(operation.clock))
        ORDER BY created_at DESC LIMIT 2
      ) AS valid
    ), '[]'))
    FROM operation WHERE operation.id = p_operation_id
  );
END
$$;
