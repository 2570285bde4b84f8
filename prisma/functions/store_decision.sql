-- Stores a decision of the rules with the statement that follows from it; nothing if `p_decision` is null. A repeat of
-- the same decision (an activity's retry) is stored once. A `wait` with the same outcome as the last decision is not
-- stored again: a dispatch asks every minute. `p_decision` is as store/rules/decisions.ts writes it.
CREATE OR REPLACE FUNCTION store_decision(p_decision jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  p_outcome jsonb := p_decision -> 'outcome';
BEGIN
  IF p_decision IS NULL OR (p_outcome @> '{"kind": "wait"}' AND p_outcome IS NOT DISTINCT FROM (
    SELECT outcome FROM decision
    WHERE object_id = p_decision ->> 'objectId' AND stage = p_decision ->> 'stage' ORDER BY id DESC LIMIT 1
  )) THEN
    RETURN;
  END IF;
  INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome, digest,
    decided_at, player_ref)
  VALUES (p_decision ->> 'operationId', p_decision ->> 'objectId', p_decision ->> 'stage',
    (p_decision ->> 'ruleSetVersion')::integer, p_decision -> 'facts', p_decision -> 'thresholds',
    p_decision -> 'reports', p_outcome, p_decision ->> 'digest', (p_decision ->> 'at')::timestamptz,
    p_decision ->> 'playerRef')
  ON CONFLICT (object_id, stage, digest) DO NOTHING;
END
$$;
