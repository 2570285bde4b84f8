-- Refuses an order for good, unless its payment exists. A refusal that is stored already stays as it is; without a code
-- nothing is stored. Returns no row for an order that was not refused.
-- `copied`: another run refused the same order. A payment is inserted under the same lock (is_order_refused), so that of
-- refusal and payment only one is ever stored.
CREATE OR REPLACE FUNCTION refuse_order(
  p_payment_id text, p_operation_id text, p_code text, p_order_proof text, p_run_id text
) RETURNS TABLE (kind text, code text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_payment_id, 1));
  IF EXISTS (SELECT FROM deposit WHERE id = p_payment_id) OR EXISTS (SELECT FROM withdrawal WHERE id = p_payment_id) THEN
    RETURN QUERY SELECT 'payment_exists', NULL::text;
    RETURN;
  END IF;
  IF p_code IS NOT NULL THEN
    INSERT INTO refused_order (payment_id, operation_id, code, order_proof, run_id, refused_at)
    VALUES (p_payment_id, p_operation_id, p_code, p_order_proof, p_run_id, now())
    ON CONFLICT (payment_id) DO NOTHING;
  END IF;
  RETURN QUERY
    SELECT CASE WHEN refused.order_proof = p_order_proof AND refused.run_id <> p_run_id THEN 'copied' ELSE 'refused' END,
      refused.code
    FROM refused_order AS refused WHERE refused.payment_id = p_payment_id;
END
$$;
