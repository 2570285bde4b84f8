// The requests to providers that a payment made, for its timeline: written in batches beside the payments.
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { rowsOf } from '../statements.js';

export interface ProviderExchange {
  readonly paymentId: string;
  readonly provider: string;
  /** What the gateway asked for, such as `sendPayout`. */
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly fault: string | null;
  /** RFC 3339: when the step that made it was planned. The events that follow from it are later. */
  readonly stepAt: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Stores requests with their times by the clock of the payment's operation, so that they stand among its events. */
export async function storeExchanges(database: Database, exchanges: readonly ProviderExchange[]): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
      INSERT INTO provider_exchange (payment_id, provider, call, method, path, status, fault, step_at, started_at,
        duration_ms)
      SELECT "paymentId", provider, call, method, path, status, fault,
        "stepAt" + moved.by, "startedAt" + moved.by, "durationMs"
      FROM jsonb_to_recordset(${JSON.stringify(exchanges)}::jsonb) AS ("paymentId" text, provider text, call text,
        method text, path text, status integer, fault text, "stepAt" timestamptz,
        "startedAt" timestamptz, "durationMs" integer)
      LEFT JOIN LATERAL (
        SELECT operation_time(clock) - clock_timestamp() AS by FROM operation WHERE id IN (
          SELECT operation_id FROM deposit WHERE id = "paymentId" UNION ALL
          SELECT operation_id FROM withdrawal WHERE id = "paymentId")) AS moved ON TRUE`,
  );
}

/** The payment's newest requests, newest first. */
export function exchangesOf(database: Database, paymentId: string, take: number) {
  return database.providerExchange.findMany({ where: { paymentId }, orderBy: { id: 'desc' }, take });
}
