// Alerts as staff see them: lists, one by its id, and resolving one.
import { type StaysOpen, whyStaysOpen } from '../../domain/abuse-alerts.js';
import { type DoneBy, nameOf, type Reach } from '../../domain/staff.js';
import { SUSPENSE_ALERTS } from '../../domain/suspense-alerts.js';
import type { Alert, Prisma } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inReach } from '../reach-sql.js';
import { inTransaction, type Transaction } from '../transactions.js';

/** Open alerts, newest first; with `all` also the resolved ones. */
export async function readAlerts(database: Database, { all, limit }: { all: boolean; limit: number }) {
  const rows = await database.alert.findMany({
    where: all ? {} : { resolvedAt: null },
    orderBy: { createdAt: 'desc' },
    take: limit,
  });
  return rows.map(presentAlert);
}

/** The alerts of these payments, oldest first. */
export async function readAlertsOf(database: Database, ...objectIds: readonly string[]) {
  const where = { objectId: { in: [...objectIds] } };
  const rows = await database.alert.findMany({ where, orderBy: { createdAt: 'asc' }, take: 200 });
  return rows.map(presentAlert);
}

/** The row of an alert; `null` if there is none. */
export function alertById(database: Pick<Database, 'alert'>, id: string): Promise<Alert | null> {
  return database.alert.findUnique({ where: { id } });
}

export interface AlertFilter {
  readonly reach: Reach;
  /** Resolved or not. */
  readonly id?: string | undefined;
  readonly operationId: string | undefined;
  /** Ignored with an `id`. */
  readonly isResolved: boolean;
  /** The last alert of the page before; `null` for the first page. */
  readonly after: { readonly createdAt: Date; readonly id: string } | null;
  readonly take: number;
}

/** The requested alerts within reach, newest first. */
export function alertRows(
  database: Database,
  { reach, id, operationId, isResolved, after, take }: AlertFilter,
): Promise<Alert[]> {
  const conditions: Prisma.AlertWhereInput[] = [
    inReach(reach),
    id === undefined ? { resolvedAt: isResolved ? { not: null } : null } : { id },
    ...(operationId === undefined ? [] : [{ operationId }]),
    ...(after === null ? [] : [beyond(after.createdAt, after.id)]),
  ];
  return database.alert.findMany({
    where: { AND: conditions },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

function beyond(createdAt: Date, id: string): Prisma.AlertWhereInput {
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

/** The person who has taken the alert; `null` if no one has. */
export interface Assignment {
  readonly id: string;
  /** The person who had it when the viewer saw the alert. */
  readonly seen: string | null;
  readonly assignedTo: string | null;
}

/** Changes who has taken an open alert; `null` if it has changed since it was seen. */
export async function assignOpenAlert(
  transaction: Transaction,
  { id, seen, assignedTo }: Assignment,
): Promise<Alert | null> {
  const where = { id, resolvedAt: null, assignedTo: seen };
  const [alert] = await transaction.alert.updateManyAndReturn({ where, data: { assignedTo } });
  return alert ?? null;
}

export interface Resolution {
  readonly id: string;
  readonly person: DoneBy;
  /** The person's comment; `null` if there is none. */
  readonly reason: string | null;
}

export type ResolutionResult =
  /** One that is resolved already stays as it is (`isNew` false). */
  | { readonly kind: 'resolved'; readonly isNew: boolean; readonly alert: ReturnType<typeof presentAlert> }
  /** `money_held`: the payment that it is about still lies in suspense. */
  | { readonly kind: 'no_such_alert' | 'money_held' | StaysOpen };

/** A person resolves an alert. */
export async function resolveAlert(database: Database, { id, person, reason }: Resolution): Promise<ResolutionResult> {
  return inTransaction(database, async (transaction): Promise<ResolutionResult> => {
    const seen = await transaction.alert.findUnique({ where: { id } });
    if (seen === null) return { kind: 'no_such_alert' };
    const now = await nowOf(transaction);
    const why = seen.resolvedAt === null ? whyStaysOpen(seen, nameOf(person), now) : null;
    if (why !== null) return { kind: why };
    if (seen.resolvedAt === null && (await withMoneyHeld(transaction, [id])).has(id)) return { kind: 'money_held' };
    const { count } = await transaction.alert.updateMany({
      where: { id, resolvedAt: null },
      data: { resolvedAt: new Date(), resolvedBy: nameOf(person), resolution: reason },
    });
    const alert = (await transaction.alert.findUnique({ where: { id } })) ?? seen;
    const { operationId, kind, objectId } = alert;
    const act = { person, action: 'alert.resolve', operationId, subject: id } as const;
    if (count > 0) await appendAudit(transaction, { ...act, detail: { kind, object_id: objectId, reason } });
    return { kind: 'resolved', isNew: count > 0, alert: presentAlert(alert) };
  });
}

/**
 * Those of the alerts whose payment still lies in suspense. The occasion of such an alert is its payment's end-to-end
 * id; one without is about all late and extra payments of its deposit.
 */
export async function withMoneyHeld(
  database: Pick<Database, '$queryRaw'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT id FROM alert WHERE id = ANY (${[...ids]}::text[]) AND kind = ANY (${[...SUSPENSE_ALERTS]}::text[])
      AND EXISTS (
        SELECT FROM suspense_item AS item
        WHERE item.operation_id = alert.operation_id AND item.object_id = alert.object_id AND left_minor > 0
          AND (occasion IS NULL OR item.end_to_end_id = occasion)
      )`;
  return new Set(rows.map(({ id }) => id));
}

/** Where these deposits wait for people: under review, or else with a payment in suspense. */
export async function waitsOfDeposits(
  database: Pick<Database, '$queryRaw'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, 'review' | 'suspense'>> {
  if (ids.length === 0) return new Map();
  const rows = await database.$queryRaw<{ id: string; waits: 'review' | 'suspense' }[]>`
    SELECT id, CASE status WHEN 'under_review' THEN 'review' ELSE 'suspense' END AS waits
    FROM deposit WHERE id = ANY (${[...ids]}::text[]) AND (
      status = 'under_review' OR EXISTS (SELECT FROM suspense_item WHERE object_id = deposit.id AND left_minor > 0)
    )`;
  return new Map(rows.map(({ id, waits }) => [id, waits]));
}

/** By the clock that decides: the database's. */
async function nowOf(transaction: Transaction): Promise<Date> {
  const [row] = await transaction.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  return row?.now ?? new Date(0);
}

export function presentAlert(alert: Alert) {
  return {
    id: alert.id,
    kind: alert.kind,
    operation_id: alert.operationId,
    object_id: alert.objectId,
    detail: alert.detail,
    created_at: alert.createdAt,
    resolved_at: alert.resolvedAt,
  };
}
