-- Whether a person has paused an account at a provider, or its slot. The statements that permit a charge or a payout
-- ask here themselves: a pause holds from the moment that it is stored.
CREATE OR REPLACE FUNCTION is_paused(p_provider text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM provider_pause WHERE provider IN (p_provider, split_part(p_provider, '.', 1)))
$$;
