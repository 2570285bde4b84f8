-- What a payment's status means for sums: domain/payments/deposit.ts, which a test compares.
CREATE OR REPLACE FUNCTION phase_of(p_status text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_status = 'paid' THEN 'settled'
    WHEN p_status IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback', 'rejected') THEN 'void'
    ELSE 'open'
  END
$$;
