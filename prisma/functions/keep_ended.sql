-- Ended stays ended, whatever role writes: a time at which something ended is set once, and a decision is not taken
-- back. Only code of the owner (a SECURITY DEFINER function that checks who asked) can begin it again.
CREATE OR REPLACE FUNCTION refuse_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_has_role((SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '%: what has ended stays ended', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

-- An end is never ahead: with a date of the future in place, nobody could end it today.
CREATE OR REPLACE FUNCTION end_today() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Columns have milliseconds. Rounded up, it would be ahead for half of one.
  RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], date_trunc('milliseconds', clock_timestamp())));
END
$$;

DO $$
DECLARE
  ends_at text[];
BEGIN
  -- Columns that go from NULL to a time that has come, once. Each with a column that says who ended it, if there is
  -- one.
  FOREACH ends_at SLICE 1 IN ARRAY ARRAY[
    ['api_key', 'revoked_at', NULL],
    ['client_certificate', 'revoked_at', NULL],
    ['approval_request', 'decided_at', 'decided_by'],
    ['rule_change_request', 'decided_at', 'decided_by'],
    ['player', 'histories_erased_at', NULL],
    ['unexplained_receipt', 'settled_at', NULL],
    ['unexplained_payout', 'explained_at', NULL],
    ['statement_item', 'closed_at', NULL],
    ['account_balance', 'compared_at', NULL],
    ['alert', 'resolved_at', 'resolved_by'],
    ['staff', 'disabled_at', NULL],
    ['staff_session', 'revoked_at', NULL],
    ['staff_sign_in_link', 'used_at', NULL],
    ['staff_passkey', 'removed_at', 'removed_by'],
    ['staff_challenge', 'used_at', NULL],
    ['data_key', 'retired_at', NULL]
  ] LOOP
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER %1$I BEFORE UPDATE ON %2$I FOR EACH ROW
       WHEN (OLD.%3$I IS NOT NULL AND (NEW.%3$I IS DISTINCT FROM OLD.%3$I %4$s)) EXECUTE FUNCTION refuse_reopening()',
      ends_at[1] || '_stays_ended', ends_at[1], ends_at[2],
      CASE WHEN ends_at[3] IS NOT NULL THEN format('OR NEW.%1$I IS DISTINCT FROM OLD.%1$I', ends_at[3]) END
    );
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER %1$I BEFORE UPDATE ON %2$I FOR EACH ROW
       WHEN (OLD.%3$I IS NULL AND NEW.%3$I > clock_timestamp()) EXECUTE FUNCTION end_today(%3$L)',
      ends_at[1] || '_ends_today', ends_at[1], ends_at[2]
    );
  END LOOP;
END
$$;

-- A secret that expires may expire earlier, and never later.
CREATE OR REPLACE TRIGGER webhook_secret_stays_ended BEFORE UPDATE ON webhook_secret
  FOR EACH ROW WHEN (OLD.expires_at IS NOT NULL AND (NEW.expires_at IS NULL OR NEW.expires_at > OLD.expires_at))
  EXECUTE FUNCTION refuse_reopening();

-- A decision stays what it was. An approval is used up once.
CREATE OR REPLACE TRIGGER approval_request_stays_decided BEFORE UPDATE ON approval_request
  FOR EACH ROW WHEN (OLD.status <> 'pending' AND NEW.status <> OLD.status
    AND (OLD.status, NEW.status) <> ('approved', 'used')) EXECUTE FUNCTION refuse_reopening();
CREATE OR REPLACE TRIGGER rule_change_request_stays_decided BEFORE UPDATE ON rule_change_request
  FOR EACH ROW WHEN (OLD.status <> 'pending_approval' AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_reopening();

-- What was used up never changes: by its last change it is known which transaction used it (decided_by_two.sql).
CREATE OR REPLACE TRIGGER approval_request_used_is_kept BEFORE UPDATE ON approval_request
  FOR EACH ROW WHEN (OLD.status = 'used') EXECUTE FUNCTION refuse_reopening();
CREATE OR REPLACE TRIGGER staff_sign_in_link_used_stays BEFORE UPDATE ON staff_sign_in_link
  FOR EACH ROW WHEN (OLD.used_at IS NOT NULL) EXECUTE FUNCTION refuse_reopening();

-- A code that was used stays on record.
CREATE OR REPLACE TRIGGER staff_sign_in_link_used_is_kept BEFORE DELETE ON staff_sign_in_link
  FOR EACH ROW WHEN (OLD.used_at IS NOT NULL) EXECUTE FUNCTION refuse_reopening();
