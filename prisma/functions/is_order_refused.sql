-- Whether an order was refused, for the statement that inserts its payment. It takes the lock of refuse_order until that
-- statement commits. Volatile, so that its read sees what was committed while it waited for the lock.
CREATE OR REPLACE FUNCTION is_order_refused(p_payment_id text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_payment_id, 1));
  RETURN EXISTS (SELECT FROM refused_order WHERE payment_id = p_payment_id);
END
$$;
