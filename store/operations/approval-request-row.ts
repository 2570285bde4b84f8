// One request for approval, for `find`.
import type { Database } from '../database.js';

/** The request; `null` if there is none. */
export function approvalRequestById(database: Database, id: string) {
  return database.approvalRequest.findUnique({
    where: { id },
    select: {
      operationId: true,
      kind: true,
      payload: true,
      status: true,
      requestedBy: true,
      requestedAt: true,
      decidedBy: true,
      decidedAt: true,
    },
  });
}
