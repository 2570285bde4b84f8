-- A stored act as it is now: whether it is permitted, and with which key its signature is to be verified.
SELECT act.id, act.kind, act.operation_id AS "operationId", act.subject_id AS "subjectId",
  act.subject_version AS "subjectVersion", act.subject_digest AS "subjectDigest", act.staff_handle AS handle,
  act.reason, act.evidence, act.consumed_at IS NOT NULL AS "isUsed",
  act.outcome IS NOT DISTINCT FROM 'done' AS "isDone", act.expires_at <= now() AS "isExpired",
  is_role_held(act.staff_handle, act.session_id, act.means, act.operation_id, :rules::jsonb -> act.kind) AS "isPermitted",
  coalesce(:rules::jsonb -> act.kind -> 'means' -> operation.environment ? act.means, FALSE) AS "isMeansEnough",
  act.means, act.address, people_close_to(act.staff_handle) AS "closeTo", act.signature,
  key_of_act(act.staff_handle, act.signature, act.created_at) AS "publicKey"
FROM staff_act AS act
JOIN operation ON operation.id = act.operation_id
WHERE act.id = :id
