// What an operator's own people see of their integration: the log of its calls, and what is left before it goes live.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import type { GoLiveStep } from '../../../contract/panel/schemas/integration.js';
import type { Database } from '../../../store/database.js';
import { readFailingEndpoints } from '../../../store/events/failing-endpoints.js';
import { networksOf } from '../../../store/operations/access.js';
import { accessRequestsOf, readGoLiveEvidence } from '../../../store/operations/go-live.js';
import { newestKeys } from '../../../store/operations/keys.js';
import { operationById, operationExists } from '../../../store/operations/operations.js';
import { readCalls } from '../../../store/requests/request-log.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';

const PAGE_SIZE = 50;
const MOST_KEYS = 100;
const MOST_REQUESTS = 20;

/** A page of the operation's calls, newest first; `null` if there is no such operation, or the viewer may not see it. */
export async function readCallLog(
  database: Database,
  viewer: Viewer,
  operationId: string,
  { cursor, refused, trace }: Asked<'readCalls'>['query'],
): Promise<Answering<'readCalls'> | 'bad_cursor' | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const place = cursor === undefined ? undefined : (readCursor(cursor, 1)?.[0] ?? '');
  if (place !== undefined && !/^\d{1,18}$/.test(place)) return 'bad_cursor';
  const { calls, hasMore } = await readCalls(database, {
    operationId,
    traceId: trace,
    isRefused: refused === 'yes' ? true : undefined,
    beforeId: place === undefined ? undefined : BigInt(place),
    limit: PAGE_SIZE,
  });
  const last = calls.at(-1);
  return {
    items: calls.map((call) => ({
      id: String(call.id),
      at: new Date(call.receivedAt),
      trace_id: call.traceId,
      key_id: call.keyId,
      is_signed: call.isSigned,
      method: call.method,
      route: call.route,
      object_id: call.objectId,
      status: call.status,
      code: call.code,
      detail: call.detail,
      errors: [...call.errors],
      duration_ms: call.durationMs,
      address: call.address,
      canonical_sha256: call.canonicalSha256,
    })),
    next: hasMore && last !== undefined ? writeCursor([String(last.id)]) : null,
  };
}

interface Seen {
  readonly at: Date | null;
  readonly evidence: string | null;
}

/** What the gateway has seen of each step; `null` if there is no such operation, or the viewer may not see it. */
export async function readGoLive(
  database: Database,
  viewer: Viewer,
  operationId: string,
): Promise<Answering<'readGoLive'> | null> {
  const operation = sees(viewer, operationId) ? await operationById(database, operationId) : null;
  if (operation === null) return null;
  const [keys, networks, [failing], evidence, requests] = await Promise.all([
    newestKeys(database, operationId, MOST_KEYS),
    networksOf(database, operationId),
    readFailingEndpoints(database, { operationId, take: 1 }),
    readGoLiveEvidence(database, operationId),
    accessRequestsOf(database, operationId, MOST_REQUESTS),
  ]);
  const used = keys.filter(({ firstUsedAt }) => firstUsedAt !== null);
  const working = used.find(({ revokedAt }) => revokedAt === null);
  const { report, accepted, day } = evidence;
  const seen: Readonly<Record<GoLiveStep, Seen | null>> = {
    conformance: report === null ? null : { at: report.at, evidence: digestOf(report.detail) },
    key_used: working === undefined ? null : { at: working.firstUsedAt, evidence: working.keyId },
    // The second key that was used shows that the change was tried.
    key_changed: used.length < 2 ? null : { at: used[0]?.firstUsedAt ?? null, evidence: used[0]?.keyId ?? null },
    networks: networks.length === 0 ? null : { at: null, evidence: networks.join(', ') },
    webhook_address: operation.webhookUrl === null ? null : { at: null, evidence: operation.webhookUrl },
    webhook_accepted: accepted === null ? null : { at: accepted.sentAt, evidence: accepted.eventId },
    no_webhook_waits: failing === undefined ? { at: null, evidence: null } : null,
    day_read: day === null ? null : { at: day.receivedAt, evidence: day.traceId },
  };
  return {
    steps: (Object.entries(seen) as [GoLiveStep, Seen | null][]).map(([step, found]) => ({
      step,
      is_done: found !== null,
      at: found?.at ?? null,
      evidence: found?.evidence ?? null,
    })),
    requests: requests.map(({ id, kind, status, requestedBy, requestedAt }) => ({
      ...{ id, kind, status },
      is_yours: requestedBy === viewer.handle,
      requested_at: requestedAt,
    })),
  };
}

/** Of the report's file. */
function digestOf(detail: string): string | null {
  const { digest } = JSON.parse(detail) as { digest?: unknown };
  return typeof digest === 'string' ? digest : null;
}
