// What shows that an operation is ready to go live: its conformance report, an accepted webhook, a day that it read.
import { type RequestKind } from '../../domain/approvals.js';
import type { Database } from '../database.js';

/** What an operator's people ask for. */
const ACCESS_REQUESTS: readonly RequestKind[] = ['key', 'allowlist', 'webhook', 'webhook_secret', 'certificate'];

/** The newest evidence of each kind; `null` without any. The log of calls keeps three days. */
export async function readGoLiveEvidence(database: Database, operationId: string) {
  const [report, accepted, day] = await Promise.all([
    database.auditEntry.findFirst({
      where: { operationId, action: 'conformance.record' },
      orderBy: { sequence: 'desc' },
      select: { at: true, detail: true },
    }),
    database.webhookDelivery.findFirst({
      where: { operationId, responseStatus: { gte: 200, lte: 299 } },
      orderBy: { id: 'desc' },
      select: { sentAt: true, eventId: true },
    }),
    database.requestLog.findFirst({
      where: { operationId, isSigned: true, route: '/v1/reconciliation', status: 200 },
      orderBy: { id: 'desc' },
      select: { receivedAt: true, traceId: true },
    }),
  ]);
  return { report, accepted, day };
}

/** Requests about who may call, and where events go, newest first. */
export function accessRequestsOf(database: Database, operationId: string, take: number) {
  return database.approvalRequest.findMany({
    where: { operationId, kind: { in: [...ACCESS_REQUESTS] } },
    orderBy: { requestedAt: 'desc' },
    select: { id: true, kind: true, status: true, requestedBy: true, requestedAt: true },
    take,
  });
}
