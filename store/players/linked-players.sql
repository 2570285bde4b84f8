-- Which other players of an operation share something with a player: a document, a payer, a key, a device, an address.
-- Each probe is bounded on both sides of the index.
WITH me AS MATERIALIZED (
  SELECT document_hash FROM player WHERE operation_id = :operationId AND external_ref = :playerRef
),
own AS MATERIALIZED (
  SELECT kind, value_hash FROM player_trait
  WHERE operation_id = :operationId AND player_ref = :playerRef
  ORDER BY first_sequence DESC LIMIT :mostTraits
),
shared AS (
  SELECT own.kind AS by, others.player_ref
  FROM own CROSS JOIN LATERAL (
    SELECT player_ref FROM player_trait
    WHERE operation_id = :operationId AND kind = own.kind AND value_hash = own.value_hash AND player_ref <> :playerRef
    LIMIT :take
  ) AS others
  UNION
  SELECT 'document', others.player_ref
  FROM me CROSS JOIN LATERAL (
    SELECT external_ref AS player_ref FROM player
    WHERE operation_id = :operationId AND document_hash = me.document_hash AND external_ref <> :playerRef
    LIMIT :take
  ) AS others
  UNION
  SELECT 'payer_is_player', others.player_ref
  FROM own CROSS JOIN LATERAL (
    SELECT external_ref AS player_ref FROM player
    WHERE operation_id = :operationId AND document_hash = own.value_hash AND external_ref <> :playerRef
    LIMIT :take
  ) AS others
  WHERE own.kind = 'payer'
  UNION
  SELECT 'pays_for_player', others.player_ref
  FROM me CROSS JOIN LATERAL (
    SELECT player_ref FROM player_trait
    WHERE operation_id = :operationId AND kind = 'payer' AND value_hash = me.document_hash AND player_ref <> :playerRef
    LIMIT :take
  ) AS others
)
SELECT player_ref AS "playerRef", array_agg(by ORDER BY by) AS shares
FROM shared GROUP BY player_ref ORDER BY count(*) DESC, player_ref LIMIT :take
