// The inbox of requests that take two people, the viewer's own among them, with the reason why the viewer cannot
// approve them.
import type { Answering } from '../../../contract/panel/routes.js';
import { APPROVAL_KINDS, REQUEST_KINDS, type RequestKind } from '../../../domain/approvals.js';
import { isSamePerson } from '../../../domain/people.js';
import { isSignedAct } from '../../../domain/staff.js';
import type { ApprovalRequest } from '../../../prisma/generated/client.js';
import type { Database } from '../../../store/database.js';
import { pendingRequests, type SeenRequests } from '../../../store/operations/approval-requests.js';
import { operationNames } from '../../../store/operations/operations.js';
import { inboxReach, may, type Viewer } from '../../viewer.js';
import { shownPayload } from '../requests.js';
import { readCursor, writeCursor } from './cursor.js';
import { namedOperation } from './named-operation.js';
import { possibility, typedFor } from './possibilities.js';

const PAGE_SIZE = 50;

/**
 * Only the command has the vault, and so knows whether a sealing key can be retired. Only the command may replace
 * sealed values.
 */
export const COMMAND_ONLY: ReadonlySet<string> = new Set<RequestKind>(['sealing_key', 'player_erasure']);

export async function readApprovals(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<Answering<'readApprovals'> | 'bad_cursor'> {
  const place = cursor === undefined ? null : placeOf(cursor);
  if (place === 'bad_cursor') return place;
  const rows = await pendingRequests(database, seenBy(viewer), { after: place, take: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  const names = await operationNames(
    database,
    shown.flatMap(({ operationId }) => operationId ?? []),
  );
  const last = shown.at(-1);
  return {
    items: shown.map((row) => item(viewer, row, names)),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([last.requestedAt.toISOString(), last.id]) : null,
  };
}

/** The kinds that the viewer sees somewhere, those of one reach together. */
function seenBy(viewer: Viewer): SeenRequests[] {
  const seen = new Map<string, SeenRequests>();
  for (const kind of REQUEST_KINDS) {
    const reach = inboxReach(viewer, kind);
    const key = String(reach);
    seen.set(key, { kinds: [...(seen.get(key)?.kinds ?? []), kind], reach });
  }
  return [...seen.values()];
}

interface Place {
  readonly at: Date;
  readonly id: string;
}

function placeOf(cursor: string): Place | 'bad_cursor' {
  const [at = '', id = ''] = readCursor(cursor, 2) ?? [];
  return Number.isNaN(Date.parse(at)) ? 'bad_cursor' : { at: new Date(at), id };
}

function item(viewer: Viewer, row: ApprovalRequest, names: ReadonlyMap<string, string>) {
  const kind = row.kind as RequestKind;
  const { asks, approves } = APPROVAL_KINDS[kind];
  const { id, operationId, requestedBy } = row;
  const isOwn = isSamePerson(requestedBy, viewer.handle);
  const elsewhere = COMMAND_ONLY.has(row.kind) ? ('command_line_only' as const) : null;
  const role = may(viewer, isOwn ? asks : approves, operationId) ? null : ('not_your_role' as const);
  return {
    id,
    kind,
    operation: namedOperation(operationId, names),
    asks_for: shownPayload(row),
    requested_by: requestedBy,
    requested_at: row.requestedAt,
    is_own: isOwn,
    approves: isSignedAct(approves) ? approves : null,
    approve: { ...possibility(isOwn ? 'own_request' : null, elsewhere, role), confirm: typedFor(viewer, id) },
    reject: possibility(role),
  };
}
