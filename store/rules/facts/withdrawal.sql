-- The facts of a withdrawal's decision, all of one moment. Sums are of the order's currency. What the decision's own
-- withdrawal and later ones did is left out, because those counted this one.
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
settled AS (
  SELECT coalesce(sum(settled_count), 0)::integer AS count, coalesce(sum(settled_minor), 0) AS total
  FROM player_sum
  WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND kind = 'deposit'
),
own AS MATERIALIZED (
  -- This withdrawal, if it is stored already.
  SELECT sequence, created_at,
    CASE WHEN status NOT IN ('rejected', 'failed', 'cancelled', 'returned') THEN amount_minor END AS reserved_minor
  FROM withdrawal WHERE id = :id AND operation_id = :operationId
),
later AS MATERIALIZED (
  SELECT payment.* FROM own CROSS JOIN LATERAL (
    SELECT amount_minor, currency, created_at, status IN ('paid') AS settled,
      status NOT IN ('rejected', 'failed', 'cancelled', 'returned') AS counted
    FROM withdrawal
    WHERE operation_id = :operationId AND player_ref = :playerRef AND sequence >= own.sequence
  ) AS payment
),
-- Withdrawals of the player before this one, or any while it is being created: `sequence < before.sequence IS TRUE`,
-- which keeps it from being searched for in an index: nearly every row satisfies it.
history AS (
  SELECT
    (
      coalesce((
        SELECT sum(settled_count) FROM player_sum
        WHERE operation_id = :operationId AND player_ref = :playerRef AND kind = 'withdrawal'
      ), 0) - (SELECT count(*) FROM later WHERE settled)
    )::integer AS paid_count,
    (
      coalesce((
        SELECT counted_minor FROM player_sum
        WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
          AND kind = 'withdrawal'
      ), 0) - coalesce((SELECT sum(amount_minor) FROM later WHERE counted AND currency = :currency), 0)
    ) AS counted_minor,
    (
      SELECT coalesce(
        json_agg(json_build_object('at', created_at, 'amountMinor', amount_minor::text)
          ORDER BY created_at, amount_minor),
        '[]'
      )
      FROM withdrawal
      WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
        AND status NOT IN ('rejected', 'failed', 'cancelled', 'returned')
        AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
        AND created_at > coalesce((SELECT created_at FROM own), :at::timestamptz)
          - make_interval(hours => :hoursOfLocalDay::integer)
    ) AS recent,
    -- A key's first counted use starts its cooldown.
    (
      SELECT created_at FROM withdrawal
      WHERE operation_id = :operationId AND player_ref = :playerRef
        AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
        AND destination_hash = :destination::bytea
        AND status NOT IN ('rejected', 'failed', 'cancelled', 'returned')
      ORDER BY created_at LIMIT 1
    ) AS key_first_used_at,
    coalesce((
      SELECT TRUE FROM withdrawal
      WHERE operation_id = :operationId AND player_ref = :playerRef
        AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
        AND destination_hash = :destination::bytea AND status IN ('paid')
      ORDER BY created_at LIMIT 1
    ), FALSE) AS key_paid_before,
    EXISTS (
      SELECT FROM player_trait
      WHERE operation_id = :operationId AND player_ref = :playerRef AND kind = 'ip' AND value_hash = :ip::bytea
        AND first_sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)
    ) AS ip_seen,
    EXISTS (
      SELECT FROM player_trait
      WHERE operation_id = :operationId AND player_ref = :playerRef AND kind = 'device'
        AND value_hash = :device::bytea
        AND first_sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)
    ) AS device_seen
),
-- Windows: whole UTC days come from the kept sums, the rest of the first day from its rows.
d7 AS (
  SELECT coalesce(sum(minor), 0) AS minor, coalesce(sum(number), 0)::integer AS number FROM (
    SELECT (value ->> 0)::numeric AS minor, (value ->> 1)::integer AS number
    FROM player_sum CROSS JOIN LATERAL jsonb_each(days) AS day
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND kind = 'withdrawal'
      AND day.key > :d7FirstDay
    UNION ALL
    SELECT amount_minor, 1 FROM withdrawal
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
      AND status NOT IN ('rejected', 'failed', 'cancelled', 'returned')
      AND created_at > :d7Start::timestamptz AND created_at < :d7NextDay::timestamptz
    UNION ALL
    SELECT -amount_minor, -1 FROM later
    WHERE counted AND currency = :currency AND created_at > :d7Start::timestamptz
  ) AS part
),
d30 AS (
  SELECT coalesce(sum(minor), 0) AS minor, coalesce(sum(number), 0)::integer AS number FROM (
    SELECT (value ->> 0)::numeric AS minor, (value ->> 1)::integer AS number
    FROM player_sum CROSS JOIN LATERAL jsonb_each(days) AS day
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND kind = 'withdrawal'
      AND day.key > :d30FirstDay
    UNION ALL
    SELECT amount_minor, 1 FROM withdrawal
    WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
      AND status NOT IN ('rejected', 'failed', 'cancelled', 'returned')
      AND created_at > :d30Start::timestamptz AND created_at < :d30NextDay::timestamptz
    UNION ALL
    SELECT -amount_minor, -1 FROM later
    WHERE counted AND currency = :currency AND created_at > :d30Start::timestamptz
  ) AS part
),
payers AS MATERIALIZED (
  SELECT value_hash AS hash,
    EXISTS (
      SELECT FROM deposit
      WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND status IN ('paid')
        AND payer_document_hash = value_hash AND paid_at > :d30Start::timestamptz
    ) AS in_30_days
  FROM player_trait
  WHERE operation_id = :operationId AND player_ref = :playerRef AND kind = 'payer'
    AND EXISTS (
      SELECT FROM deposit
      WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND status IN ('paid')
        AND payer_document_hash = value_hash
    )
),
risk AS (
  SELECT d7.minor AS d7_minor, d7.number AS d7_count, d30.minor AS d30_minor, d30.number AS d30_count,
    (
      SELECT coalesce(
        json_agg(json_build_object('at', created_at, 'amountMinor', amount_minor::text)
          ORDER BY created_at DESC, amount_minor),
        '[]'
      )
      FROM (
        SELECT created_at, amount_minor FROM withdrawal
        WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency
          AND status NOT IN ('rejected', 'failed', 'cancelled', 'returned')
          AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
          AND created_at > :d30Start::timestamptz
        ORDER BY created_at DESC, amount_minor LIMIT :longestList
      ) AS newest
    ) AS movements,
    (
      SELECT coalesce(json_agg(created_at ORDER BY created_at DESC), '[]')
      FROM (
        SELECT created_at FROM withdrawal
        WHERE operation_id = :operationId AND player_ref = :playerRef
          AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
          AND created_at > :requestedStart::timestamptz
        ORDER BY created_at DESC LIMIT :longestList
      ) AS newest
    ) AS requested_at,
    -- The player's different keys of the period, and this one: one probe for each key that was ever used.
    (
      SELECT 1 + count(*) FROM player_trait
      WHERE operation_id = :operationId AND player_ref = :playerRef AND kind = 'pix_key'
        AND value_hash <> :destination::bytea
        AND EXISTS (
          SELECT FROM withdrawal
          WHERE operation_id = :operationId AND player_ref = :playerRef AND destination_hash = value_hash
            AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
            AND created_at > :d30Start::timestamptz
        )
    )::integer AS destinations_30d,
    (
      SELECT coalesce(
        json_agg(json_build_object('at', paid_at, 'amountMinor', amount_minor::text)
          ORDER BY paid_at DESC, amount_minor),
        '[]'
      )
      FROM (
        SELECT paid_at, amount_minor FROM deposit
        WHERE operation_id = :operationId AND player_ref = :playerRef AND currency = :currency AND status IN ('paid')
          AND paid_at > :d30Start::timestamptz
        ORDER BY paid_at DESC, amount_minor LIMIT :longestList
      ) AS newest
    ) AS settled_movements,
    (SELECT count(*) FROM payers WHERE in_30_days)::integer AS payers_30d,
    -- Other players whose deposits the player's payers paid: both sides of the player in an ordered index. The player's
    -- own deposits, nearly all of the payer's, are never read, and no estimate of their number makes Postgres read the
    -- whole table.
    (
      SELECT count(DISTINCT others.player_ref)
      FROM payers CROSS JOIN LATERAL (
        (
          SELECT player_ref FROM deposit
          WHERE operation_id = :operationId AND payer_document_hash = payers.hash AND status IN ('paid')
            AND player_ref < :playerRef LIMIT :mostShared
        )
        UNION ALL
        (
          SELECT player_ref FROM deposit
          WHERE operation_id = :operationId AND payer_document_hash = payers.hash AND status IN ('paid')
            AND player_ref > :playerRef LIMIT :mostShared
        )
      ) AS others
    )::integer AS other_players_of_payers,
    (
      SELECT json_build_object('hour', hour, 'hourMinor', hour_minor::text, 'day', day, 'dayMinor', day_minor::text)
      FROM automatic_use WHERE operation_id = :operationId AND automatic_use.currency = :currency
    ) AS automatic_use
  FROM d7 CROSS JOIN d30
)
SELECT rule_set.version, rule_set.rules, rule_set.engine, listed.hits, (SELECT created_at FROM own) AS own_created_at,
  known.revision AS player_revision, known.same AS same_document,
  EXISTS (
    SELECT FROM player
    WHERE operation_id = :operationId AND document_hash = :document::bytea AND external_ref <> :playerRef
  ) AS document_shared,
  settled.count AS settled_count, settled.total AS settled_minor,
  history.*, risk.*,
  -- Other keys count whatever their withdrawals became: otherwise a rejected attempt would make the next key look like
  -- the first.
  coalesce((
    SELECT TRUE FROM withdrawal
    WHERE operation_id = :operationId AND player_ref = :playerRef
      AND (sequence < coalesce((SELECT sequence FROM own), 9223372036854775807)) IS TRUE
      AND destination_hash <> :destination::bytea
      AND created_at < coalesce(history.key_first_used_at, 'infinity')
    ORDER BY created_at LIMIT 1
  ), FALSE) AS had_other_key_before,
  -- Two probes of an ordered index instead of reading every use of the key. The order keeps Postgres to the index also
  -- where it expects other players among the uses of a key that has none.
  coalesce(
    (
      SELECT player_ref FROM withdrawal
      WHERE operation_id = :operationId AND destination_hash = :destination::bytea AND player_ref < :playerRef
      ORDER BY player_ref DESC LIMIT 1
    ),
    (
      SELECT player_ref FROM withdrawal
      WHERE operation_id = :operationId AND destination_hash = :destination::bytea AND player_ref > :playerRef
      ORDER BY player_ref LIMIT 1
    )
  ) IS NOT NULL AS key_used_by_others,
  -- What the account that pays it holds of the cash box, with what this withdrawal itself has reserved.
  (
    coalesce((
      SELECT balance_minor FROM ledger_account
      WHERE operation_id = :operationId AND provider = :provider AND currency = :currency AND account = 'available'
    ), 0)
    + coalesce((SELECT reserved_minor FROM own), 0)
  ) AS available_minor
FROM settled CROSS JOIN history CROSS JOIN risk CROSS JOIN listed
LEFT JOIN rule_set ON TRUE LEFT JOIN known ON TRUE
