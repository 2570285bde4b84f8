-- The keys, addresses and devices of all of a player's withdrawals. `first_sequence` is that of the first withdrawal
-- with the value: a decision ignores values that came after its own withdrawal.
CREATE OR REPLACE FUNCTION keep_withdrawal_traits() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO player_trait (operation_id, player_ref, kind, value_hash, first_sequence)
  SELECT NEW.operation_id, NEW.player_ref, kind, value_hash, NEW.sequence
  FROM (VALUES ('pix_key', NEW.destination_hash), ('ip', NEW.ip_hash), ('device', NEW.device_hash))
    AS seen (kind, value_hash)
  WHERE value_hash IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER withdrawal_traits AFTER INSERT ON withdrawal
  FOR EACH ROW EXECUTE FUNCTION keep_withdrawal_traits();
