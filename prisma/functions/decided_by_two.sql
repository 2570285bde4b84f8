-- Whether a passkey of the person signed an act of this kind on this subject, as far as the rows say it. SQL cannot
-- verify a signature: a forged one is found by the nightly verification (ACT_NOT_SIGNED).
CREATE OR REPLACE FUNCTION has_signed(p_person text, p_kind text, p_subject text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM staff_act AS act
    JOIN staff_passkey AS passkey
      ON passkey.id = act.signature ->> 'credentialId' AND passkey.staff_handle = act.staff_handle
    WHERE act.subject_id = p_subject AND act.kind = p_kind AND act.staff_handle = p_person
      AND act.means = 'signature' AND act.outcome = 'done'
      AND passkey.created_at <= act.created_at AND passkey.signs_from <= act.created_at
      AND coalesce(passkey.removed_at >= act.created_at, TRUE)
  )
$$;

-- The request about a person that two people decided and that this transaction has used up: one person asked for
-- exactly this, another one signed the approval within the last seven days (UNUSED_APPROVAL_DAYS), and it is not about
-- that one. A used request never changes (keep_ended.sql), so its newest version is of the transaction that used it
-- up.
CREATE OR REPLACE FUNCTION decided_by_two(p_kind text, p_payload jsonb) RETURNS SETOF approval_request
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT request.* FROM approval_request AS request
  WHERE request.kind = p_kind AND request.payload = p_payload
    AND request.status = 'used' AND request.xmin = pg_current_xact_id()::xid
    AND request.decided_at > now() - interval '7 days'
    AND request.decided_by NOT IN (request.requested_by, p_payload ->> 'handle')
    AND has_signed(request.decided_by, 'access.approve', request.id)
    AND EXISTS (
      SELECT FROM staff_act AS act
      WHERE act.subject_id = request.id AND act.kind = 'staff.manage' AND act.staff_handle = request.requested_by
        AND act.outcome = 'done'
    )
$$;
