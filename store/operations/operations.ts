// Operations: the lists of staff (without secrets), look-ups by id, and changes of one.
import type { OperationClock } from '../../domain/operation-clock.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { keyHasEnded } from '../../domain/rotation.js';
import type { Reach } from '../../domain/staff.js';
import { type Operation, Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { reachSql } from '../reach-sql.js';
import { rowsOf } from '../statements.js';
import type { Transaction } from '../transactions.js';

/** Newest first, each with the keys that are valid now. */
export async function readOperations(database: Database, limit: number) {
  const operations = await database.operation.findMany({ orderBy: { createdAt: 'desc' }, take: limit });
  const keys = await database.apiKey.findMany({
    where: {
      operationId: { in: operations.map(({ id }) => id) },
      revokedAt: null,
    },
    select: { keyId: true, operationId: true, scopes: true, createdAt: true, expiresAt: true, revokedAt: true },
    orderBy: { createdAt: 'asc' },
  });
  const now = new Date();
  return operations.map((operation) => ({
    operation_id: operation.id,
    name: operation.name,
    environment: operation.environment,
    provider: operation.provider,
    status: operation.status,
    automatic_stopped_at: operation.automaticStoppedAt,
    webhook_url: operation.webhookUrl,
    created_at: operation.createdAt,
    active_keys: keys
      .filter((key) => key.operationId === operation.id)
      .filter((key) => !keyHasEnded(key, now, operation.clock as OperationClock | null))
      .map(({ keyId, scopes, createdAt, expiresAt }) => ({
        key_id: keyId,
        scopes,
        created_at: createdAt,
        expires_at: expiresAt,
      })),
  }));
}

export interface ListedOperation {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly status: string;
  /** The version of the rules in force; `null` for an operation without any. */
  readonly timeZone: string | null;
}

/** The operations within reach by their names, at most `take`. SQL, because each has the zone of its latest rules. */
export function listedOperations(database: Database, reach: Reach, take: number): Promise<ListedOperation[]> {
  return rowsOf<ListedOperation>(
    database,
    Prisma.sql`
      SELECT id, name, environment, status, (
        SELECT rules ->> 'timezone' FROM rule_set_version
        WHERE operation_id = operation.id ORDER BY version DESC LIMIT 1
      ) AS "timeZone"
      FROM operation WHERE ${reachSql(reach, 'id')} ORDER BY name, id LIMIT ${take}`,
  );
}

/** The row of an operation; `null` if there is none. */
export function operationById(database: Database, id: string): Promise<Operation | null> {
  return database.operation.findUnique({ where: { id } });
}

/** Begins or ends the simulated outage of a sandbox operation. */
export async function setOutage(database: Database, id: string, outage: boolean): Promise<void> {
  await database.operation.update({ where: { id }, data: { outage } });
}

/** Whether the operation exists. */
export async function operationExists(database: Database, id: string): Promise<boolean> {
  return (await database.operation.count({ where: { id } })) > 0;
}

/** The names of operations by id. */
export async function operationNames(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await database.operation.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface OperationChange {
  readonly status?: 'active' | 'suspended';
  readonly webhookUrl?: string;
  readonly provider?: AccountName;
  readonly automaticStoppedAt?: Date | null;
}

/** Changes an operation that the caller's transaction has locked. */
export async function updateOperation(
  transaction: Transaction,
  operationId: string | null,
  change: OperationChange,
): Promise<void> {
  if (operationId === null) throw new Error('a change of no operation');
  await transaction.operation.update({ where: { id: operationId }, data: change });
}
