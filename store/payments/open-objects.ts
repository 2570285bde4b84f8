// Objects that are open in PostgreSQL and should have a running workflow: payments and rule changes; and those whose
// workflows the check of progress looks at in one turn. SQL, because each part is read through an index, in its order:
// a turn costs the same however many payments are open.
import {
  CLOSED_DEPOSIT_STATUSES,
  DEPOSIT_STATUSES,
  type DepositStatus,
  EXPIRY_GRACE_SECONDS,
  isDepositClosed,
} from '../../domain/payments/deposit.js';
import {
  CLOSED_WITHDRAWAL_STATUSES,
  isWithdrawalClosed,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
} from '../../domain/payments/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { ORDER_LASTS_MS } from '../sealing/orders.js';

export type ObjectKind = 'deposit' | 'withdrawal' | 'rule_change';

export interface OpenObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly operationId: string;
  readonly status: string;
}

/** Also one that is closed, while a late or extra payment of it goes back. */
const OPEN_DEPOSIT = {
  OR: [{ status: { notIn: [...CLOSED_DEPOSIT_STATUSES] } }, { returnRequest: { not: Prisma.DbNull } }],
};
const OPEN_WITHDRAWAL = { status: { notIn: [...CLOSED_WITHDRAWAL_STATUSES] } };
const OPEN_CHANGE = { status: 'pending_approval' };

/** Every open deposit, withdrawal and rule change, each kind oldest first. */
export async function readOpenObjects(database: Database): Promise<OpenObject[]> {
  const select = { id: true, operationId: true, status: true } as const;
  const orderBy = { createdAt: 'asc' } as const;
  const [deposits, withdrawals, changes] = [
    await database.deposit.findMany({ where: OPEN_DEPOSIT, select, orderBy }),
    await database.withdrawal.findMany({ where: OPEN_WITHDRAWAL, select, orderBy }),
    await database.ruleChangeRequest.findMany({ where: OPEN_CHANGE, select, orderBy }),
  ];
  return [
    ...deposits.map((row) => ({ kind: 'deposit' as const, ...row })),
    ...withdrawals.map((row) => ({ kind: 'withdrawal' as const, ...row })),
    ...changes.map((row) => ({ kind: 'rule_change' as const, ...row })),
  ];
}

export const OPEN_DEPOSIT_STATUSES = DEPOSIT_STATUSES.filter((status: DepositStatus) => !isDepositClosed(status));
export const OPEN_WITHDRAWAL_STATUSES = WITHDRAWAL_STATUSES.filter(
  (status: WithdrawalStatus) => !isWithdrawalClosed(status),
);

/**
 * The open objects of an operation that were created before an instant, in pages. Each page is found through an index:
 * an operation with millions of closed payments costs what its open ones do.
 */
export async function* openPages(
  database: Database,
  operationId: string,
  before: Date,
  pageSize: number,
): AsyncIterable<OpenObject[]> {
  const select = { id: true, operationId: true, status: true, sequence: true } as const;
  const page = <Where extends object>(where: Where, after: bigint) => ({
    where: { operationId, ...where, sequence: { gt: after }, createdAt: { lt: before } },
    select,
    orderBy: { sequence: 'asc' } as const,
    take: pageSize,
  });
  const deposits = (where: Prisma.DepositWhereInput) =>
    pagesOf('deposit', pageSize, (after) => database.deposit.findMany(page(where, after)));
  for (const status of OPEN_DEPOSIT_STATUSES) yield* deposits({ status });
  const isReturning = { returnRequest: { not: Prisma.DbNull } };
  yield* deposits({ ...isReturning, status: { in: [...CLOSED_DEPOSIT_STATUSES] } });
  for (const status of OPEN_WITHDRAWAL_STATUSES)
    yield* pagesOf('withdrawal', pageSize, (after) => database.withdrawal.findMany(page({ status }, after)));
  const changes = await database.ruleChangeRequest.findMany({
    where: { operationId, ...OPEN_CHANGE, createdAt: { lt: before } },
    select: { id: true, operationId: true, status: true },
  });
  if (changes.length > 0) yield changes.map((row) => ({ kind: 'rule_change' as const, ...row }));
}

async function* pagesOf(
  kind: 'deposit' | 'withdrawal',
  pageSize: number,
  read: (after: bigint) => Promise<{ id: string; operationId: string; status: string; sequence: bigint }[]>,
): AsyncIterable<OpenObject[]> {
  for (let after = -1n; ;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows.map(({ id, operationId, status }) => ({ kind, id, operationId, status }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.sequence;
  }
}

/** The ids of the payments that have been open longest, over all operations. */
export async function longestOpen(database: Database, limit: number): Promise<string[]> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT payment.id
    FROM operation CROSS JOIN LATERAL (
      (
        SELECT id, created_at FROM deposit
        WHERE operation_id = operation.id AND status = ANY(${OPEN_DEPOSIT_STATUSES}) ORDER BY created_at LIMIT ${limit}
      )
      UNION ALL
      (
        SELECT id, created_at FROM withdrawal
        WHERE operation_id = operation.id AND status = ANY(${OPEN_WITHDRAWAL_STATUSES})
        ORDER BY created_at LIMIT ${limit}
      )
    ) AS payment
    ORDER BY payment.created_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Whether the object is still open. */
export async function isStillOpen(database: Database, { kind, id }: OpenObject): Promise<boolean> {
  const count = {
    deposit: () => database.deposit.count({ where: { id, ...OPEN_DEPOSIT } }),
    withdrawal: () => database.withdrawal.count({ where: { id, ...OPEN_WITHDRAWAL } }),
    rule_change: () => database.ruleChangeRequest.count({ where: { id, ...OPEN_CHANGE } }),
  }[kind];
  return (await count()) === 1;
}

/** Whether the object exists, open or not. */
export async function objectExists(database: Database, kind: ObjectKind, id: string): Promise<boolean> {
  const count = {
    deposit: () => database.deposit.count({ where: { id } }),
    withdrawal: () => database.withdrawal.count({ where: { id } }),
    rule_change: () => database.ruleChangeRequest.count({ where: { id } }),
  }[kind];
  return (await count()) === 1;
}

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
