-- The facts of a deposit's creation, all of one moment. A deposit that nobody has paid yet is both counted and unpaid.
WITH rule_set AS (
  -- A person's stop of automatic withdrawals overrides the engine's thresholds.
  SELECT version, rules,
    CASE WHEN operation.automatic_stopped_at IS NULL THEN engine
      ELSE coalesce(engine, '{}') || '{"auto_suspended": true}' END AS engine
  FROM rule_set_version JOIN operation ON operation.id = operation_id
  WHERE operation_id = :operationId
  ORDER BY version DESC LIMIT 1
),
listed AS (
  -- Each hit as `<list>:<kind>`. One index probe per list and hash.
  SELECT coalesce(array_agg(DISTINCT entry.list || ':' || entry.kind), '{}') AS hits
  FROM unnest(:listKinds::text[], :listHashes::bytea[]) AS asked(kind, hash)
  JOIN list_entry AS entry
    ON entry.operation_id = :operationId AND entry.list IN ('block', 'review')
    AND entry.kind = asked.kind AND entry.value_hash = asked.hash AND coalesce(entry.expires_at > now(), TRUE)
),
known AS (
  SELECT revision::text AS revision, document_hash = :document::bytea AS same
  FROM player WHERE operation_id = :operationId AND external_ref = :playerRef
),
own AS (
  -- This deposit, if it is stored already: the sums hold it, and the decision must not see it.
  SELECT amount_minor, created_at FROM deposit
  WHERE id = :id AND status NOT IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback')
),
-- Windows: whole UTC days come from the kept sums, the rest of the first day from its rows.
d7 AS (
  SELECT coalesce(sum(minor), 0) AS minor, coalesce(sum(number), 0)::integer AS number FROM (
    SELECT (value ->> 0)::numeric AS minor, (value ->> 1)::integer AS number
    FROM player_sum CROSS JOIN LATERAL jsonb_each(days) AS day
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND kind = 'deposit'
      AND day.key > :d7FirstDay
    UNION ALL
    SELECT amount_minor, 1 FROM deposit
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
      AND status NOT IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback')
      AND created_at > :d7Start::timestamptz AND created_at < :d7NextDay::timestamptz
    UNION ALL
    SELECT -amount_minor, -1 FROM own WHERE created_at > :d7Start::timestamptz
  ) AS part
),
d30 AS (
  SELECT coalesce(sum(minor), 0) AS minor, coalesce(sum(number), 0)::integer AS number FROM (
    SELECT (value ->> 0)::numeric AS minor, (value ->> 1)::integer AS number
    FROM player_sum CROSS JOIN LATERAL jsonb_each(days) AS day
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND kind = 'deposit'
      AND day.key > :d30FirstDay
    UNION ALL
    SELECT amount_minor, 1 FROM deposit
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
      AND status NOT IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback')
      AND created_at > :d30Start::timestamptz AND created_at < :d30NextDay::timestamptz
    UNION ALL
    SELECT -amount_minor, -1 FROM own WHERE created_at > :d30Start::timestamptz
  ) AS part
)
SELECT rule_set.version, rule_set.rules, rule_set.engine, listed.hits,
  d7.minor AS d7_minor, d7.number AS d7_count, d30.minor AS d30_minor, d30.number AS d30_count,
  known.revision AS player_revision, known.same AS same_document,
  (
    SELECT coalesce(
      json_agg(json_build_object('at', created_at, 'amountMinor', amount_minor::text)
        ORDER BY created_at DESC, amount_minor),
      '[]'
    )
    FROM (
      SELECT created_at, amount_minor FROM deposit
      WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
        AND status NOT IN ('expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback')
        AND id <> :id AND created_at > :dayStart::timestamptz
      ORDER BY created_at DESC, amount_minor LIMIT :longestList
    ) AS newest
  ) AS recent,
  (
    SELECT coalesce(json_agg(created_at ORDER BY created_at DESC), '[]')
    FROM (
      SELECT created_at FROM deposit
      WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
        AND paid_at IS NULL AND id <> :id AND created_at > :unpaidStart::timestamptz
      ORDER BY created_at DESC LIMIT :longestList
    ) AS newest
  ) AS unpaid_at
FROM listed CROSS JOIN d7 CROSS JOIN d30 LEFT JOIN rule_set ON TRUE LEFT JOIN known ON TRUE
