// The open payments, rule changes and orders whose workflows the check of progress looks at in one turn. SQL, because
// each part is read through an index, in its order: a turn costs the same however many payments are open.
import { type DepositStatus, EXPIRY_GRACE_SECONDS } from '../../domain/payments/deposit.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { ORDER_LASTS_MS } from '../sealing/orders.js';
import { OPEN_DEPOSIT_STATUSES, OPEN_WITHDRAWAL_STATUSES, type OpenObject } from './open-objects.js';

/**
 * How many objects of each kind of wait a turn looks at, at most. `due`: the workflow had something to do a moment ago,
 * because the row changed or the deposit had to expire. `moving`: it acts by itself, or when people decide. `waiting`:
 * only the player's payment, which is most of them. `ordered`: an api asked for it, and it has no row yet.
 */
export const LOOKS_PER_TURN = { due: 5_000, moving: 200, waiting: 200, ordered: 500 } as const;
type Limits = Readonly<Record<keyof typeof LOOKS_PER_TURN, number>>;

/** So long after a change of the row, or after the expiry, the workflow's task has been tried several times. */
const TRIED_AFTER_SECONDS = 120;

/** Without a row, an order that is younger than this may still be stored. */
const ORDER_LASTS_SECONDS = ORDER_LASTS_MS / 1_000;

/** Open objects that are looked at in pages: one of each in a turn, then the next, then the first again. */
const PAGED = {
  movingDeposits: {
    table: 'deposit',
    statuses: OPEN_DEPOSIT_STATUSES.filter((status: DepositStatus) => status !== 'pending'),
    most: 'moving',
  },
  waitingDeposits: { table: 'deposit', statuses: ['pending'], most: 'waiting' },
  withdrawals: { table: 'withdrawal', statuses: OPEN_WITHDRAWAL_STATUSES, most: 'moving' },
} as const;
type Paged = keyof typeof PAGED;

/** By the sequence of rows: the pages of the next turn begin after these. */
export type Pages = Readonly<Partial<Record<Paged, number>>>;

interface Turn {
  /** When the last turn that succeeded began: what changed before was looked at. */
  readonly since: Date;
  readonly at: Date;
  readonly pages: Pages;
}

/** What a turn looks at. */
export interface LookedAfter extends Pick<OpenObject, 'kind' | 'id' | 'operationId'> {
  /** `false`: an order without a row. */
  readonly isStored: boolean;
}

/** The objects to look at in a turn, each once, and the pages of the next one. */
export async function objectsToLookAfter(
  database: Database,
  turn: Turn,
  most: Limits = LOOKS_PER_TURN,
): Promise<{ readonly objects: readonly LookedAfter[]; readonly pages: Pages }> {
  const found = [...(await dueObjects(database, turn, most)), ...(await ordersWithoutRow(database, turn, most))];
  const pages: Partial<Record<Paged, number>> = {};
  for (const name of Object.keys(PAGED) as Paged[]) {
    const page = await pageOf(database, name, turn.pages[name] ?? 0, most);
    found.push(...page.map((row) => ({ kind: row.kind, id: row.id, operationId: row.operationId, isStored: true })));
    const last = page.length < most[PAGED[name].most] ? undefined : page.at(-1);
    pages[name] = Number(last?.sequence ?? 0);
  }
  return { objects: [...new Map(found.map((object) => [object.id, object])).values()], pages };
}

/** The span of time in which an object had something to do that the last turn did not see, and that has been tried. */
function spanSql({ since, at }: Turn) {
  const tried = Prisma.sql`make_interval(secs => ${TRIED_AFTER_SECONDS}::int)`;
  return { after: Prisma.sql`${since}::timestamptz - ${tried}`, until: Prisma.sql`${at}::timestamptz - ${tried}` };
}

/** Rows that changed, deposits that had to expire, and the rule changes, which are few. */
function dueObjects(database: Database, turn: Turn, most: Limits): Promise<LookedAfter[]> {
  const { after, until } = spanSql(turn);
  const changed = (table: 'deposit' | 'withdrawal', statuses: readonly string[]) => Prisma.sql`
    SELECT ${table} AS kind, found.id, found.operation_id
    FROM operation CROSS JOIN LATERAL (
      SELECT id, operation_id FROM ${Prisma.raw(table)}
      WHERE operation_id = operation.id AND updated_at > ${after} AND updated_at <= ${until}
        AND status = ANY(${[...statuses]})
      ORDER BY updated_at LIMIT ${most.due}
    ) AS found`;
  return database.$queryRaw<LookedAfter[]>`
    SELECT kind, id, operation_id AS "operationId", true AS "isStored" FROM (
      (${changed('deposit', OPEN_DEPOSIT_STATUSES)} LIMIT ${most.due})
      UNION ALL (${changed('withdrawal', OPEN_WITHDRAWAL_STATUSES)} LIMIT ${most.due})
      UNION ALL (
        SELECT 'deposit', id, operation_id FROM deposit
        WHERE status = 'pending' AND expires_at <= ${until} - make_interval(secs => ${EXPIRY_GRACE_SECONDS}::int)
        ORDER BY expires_at LIMIT ${most.due}
      )
      UNION ALL (
        SELECT 'rule_change', id, operation_id FROM rule_change_request
        WHERE status = 'pending_approval' LIMIT ${most.moving}
      )
    ) AS due`;
}

/**
 * What an api asked Temporal for and got no answer: its request is not finished, and it has no row. After an outage of
 * Temporal, most of these have no workflow either, so a turn looks at some of them by chance.
 */
function ordersWithoutRow(database: Database, turn: Turn, most: Limits): Promise<LookedAfter[]> {
  const { after, until } = spanSql(turn);
  return database.$queryRaw<LookedAfter[]>`
    SELECT CASE WHEN starts_with(object_id, 'dep_') THEN 'deposit' ELSE 'withdrawal' END AS kind, object_id AS id,
      operation_id AS "operationId", false AS "isStored"
    FROM idempotency_key
    WHERE created_at > ${after} - make_interval(secs => ${ORDER_LASTS_SECONDS}::int) AND created_at <= ${until}
      AND state <> 'finished' AND (starts_with(object_id, 'dep_') OR starts_with(object_id, 'wdr_'))
      AND NOT EXISTS (SELECT FROM deposit WHERE deposit.id = object_id)
      AND NOT EXISTS (SELECT FROM withdrawal WHERE withdrawal.id = object_id)
    ORDER BY random() LIMIT ${most.ordered}`;
}

interface PageRow extends Pick<OpenObject, 'kind' | 'id' | 'operationId'> {
  readonly sequence: bigint;
}

/** In the order of the rows, over all operations. Of each state, the index gives as many rows as the page has. */
function pageOf(database: Database, name: Paged, after: number, most: Limits): Promise<PageRow[]> {
  const { table, statuses, most: limit } = PAGED[name];
  return database.$queryRaw<PageRow[]>`
    SELECT ${table} AS kind, found.id, found.operation_id AS "operationId", found.sequence
    FROM operation CROSS JOIN unnest(${[...statuses]}::text[]) AS open (status) CROSS JOIN LATERAL (
      SELECT id, operation_id, sequence FROM ${Prisma.raw(table)}
      WHERE operation_id = operation.id AND status = open.status AND sequence > ${after}::bigint
      ORDER BY sequence LIMIT ${most[limit]}
    ) AS found
    ORDER BY found.sequence LIMIT ${most[limit]}`;
}
