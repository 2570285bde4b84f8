// The open payments and rule changes whose workflows the check of progress looks at in one turn. SQL, because one
// statement sorts all open objects by how soon their workflows must move.
import { EXPIRY_GRACE_SECONDS } from '../../domain/deposit.js';
import type { Database } from '../database.js';
import { OPEN_DEPOSIT_STATUSES, OPEN_WITHDRAWAL_STATUSES, type OpenObject } from './open-objects.js';

/**
 * How many objects of each kind of wait a turn looks at. `due`: the workflow had something to do a moment ago, because
 * the row changed or the deposit had to expire. `moving`: it acts by itself, or when people decide. `waiting`: only the
 * player's payment, which is most of them.
 */
const LOOKS_PER_TURN = { due: 5_000, moving: 200, waiting: 200 } as const;

/** So long after a change of the row, or after the expiry, the workflow's task has been tried several times. */
const TRIED_AFTER_SECONDS = 120;

interface Turn {
  /** Chooses which part of the objects is looked at, where a turn cannot look at all: the parts take turns. */
  readonly number: number;
  /** When the last turn that succeeded began: what changed before was looked at. */
  readonly since: Date;
  readonly at: Date;
}

/**
 * The objects to look at in a turn, at most LOOKS_PER_TURN of each kind of wait or a little more: what is over is cut
 * into parts of about that size by a hash of the id. Costs one read of all open rows through the index of their states.
 */
export function objectsToLookAfter(
  database: Database,
  { number, since, at }: Turn,
  perTurn: Readonly<Record<keyof typeof LOOKS_PER_TURN, number>> = LOOKS_PER_TURN,
): Promise<OpenObject[]> {
  return database.$queryRaw<OpenObject[]>`
    WITH turn AS (
      SELECT ${since}::timestamptz - make_interval(secs => ${TRIED_AFTER_SECONDS}::int) AS changed_after,
        ${at}::timestamptz - make_interval(secs => ${TRIED_AFTER_SECONDS}::int) AS changed_before
    ),
    open AS (
      SELECT 'deposit' AS kind, found.*
      FROM turn, operation CROSS JOIN LATERAL (
        SELECT id, operation_id, status, CASE
          WHEN updated_at > changed_after AND updated_at <= changed_before THEN 'due'
          WHEN status <> 'pending' THEN 'moving'
          WHEN expires_at + make_interval(secs => ${EXPIRY_GRACE_SECONDS}::int) <= changed_before THEN 'due'
          ELSE 'waiting' END AS wait
        FROM deposit WHERE operation_id = operation.id AND status = ANY(${OPEN_DEPOSIT_STATUSES})
      ) AS found
      UNION ALL
      SELECT 'withdrawal', found.*
      FROM turn, operation CROSS JOIN LATERAL (
        SELECT id, operation_id, status,
          CASE WHEN updated_at > changed_after AND updated_at <= changed_before THEN 'due' ELSE 'moving' END
        FROM withdrawal WHERE operation_id = operation.id AND status = ANY(${OPEN_WITHDRAWAL_STATUSES})
      ) AS found
      UNION ALL
      SELECT 'rule_change', id, operation_id, status, 'moving' FROM rule_change_request
      WHERE status = 'pending_approval'
    ),
    parts AS (
      SELECT wait, ceil(count(*)::numeric / most)::int AS number
      FROM open JOIN (VALUES
        ('due', ${perTurn.due}::int), ('moving', ${perTurn.moving}::int), ('waiting', ${perTurn.waiting}::int)
      ) AS limits (wait, most) USING (wait)
      GROUP BY wait, most
    )
    SELECT kind, id, operation_id AS "operationId", status
    FROM open JOIN parts USING (wait)
    WHERE mod(hashtext(id)::bigint + 2147483648, parts.number) = mod(${number}::int, parts.number)`;
}
