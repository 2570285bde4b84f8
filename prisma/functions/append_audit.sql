-- Appends one act of a person to the audit trail, in the caller's transaction. The chain's head is its newest entry,
-- not a separate row that could be set back. The lock keeps the chain linear: it is a row that no role may lock, so
-- only who appends holds it. It is taken last, after every lock of the act itself. An act with a key is written once,
-- even if its statement is repeated. Returns the entry's number, or 0 if it existed already. hash =
-- hex(sha256(sequence, at, person, action, operation, subject, detail and previous hash, joined by line feeds))
CREATE OR REPLACE FUNCTION append_audit(
  p_act_key text, p_at timestamptz, p_person text, p_action text, p_operation_id text, p_subject text, p_detail text
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head       audit_entry%ROWTYPE;
  v_at       timestamptz := date_trunc('milliseconds', p_at);
  v_sequence bigint;
  v_hash     text;
BEGIN
  PERFORM FROM named_lock WHERE name = 'append_audit' FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the row that keeps the audit trail linear is missing';
  END IF;
  IF p_act_key IS NOT NULL AND EXISTS (SELECT FROM audit_entry WHERE act_key = p_act_key) THEN
    RETURN 0;
  END IF;
  SELECT * INTO head FROM audit_entry ORDER BY sequence DESC LIMIT 1;
  head.sequence := coalesce(head.sequence, 0);
  head.hash := coalesce(head.hash, repeat('0', 64));
  v_sequence := head.sequence + 1;
  v_hash := encode(sha256(convert_to(concat_ws(chr(10), v_sequence::text,
    to_char(v_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), p_person, p_action,
    coalesce(p_operation_id, ''), coalesce(p_subject, ''), p_detail, head.hash), 'UTF8')), 'hex');
  INSERT INTO audit_entry
    (sequence, act_key, at, person, action, operation_id, subject, detail, previous_hash, hash)
  VALUES (v_sequence, p_act_key, v_at, p_person, p_action, p_operation_id, p_subject, p_detail, head.hash, v_hash);
  RETURN v_sequence;
END
$$;
