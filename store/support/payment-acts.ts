// What people, and providers, did about one payment, by the audit trail.
import type { Database } from '../database.js';

/** Requests that name a deposit in what they ask for. */
const ABOUT_DEPOSITS = ['item_return', 'return_conclusion'];

export interface PaymentAct {
  readonly sequence: bigint;
  readonly at: Date;
  readonly person: string;
  readonly action: string;
  /** Canonical JSON. */
  readonly detail: string;
}

/** The newest entries about the payment, its events and the requests that name it, oldest first. */
export async function actsOnPayment(
  database: Database,
  { id, operationId }: { readonly id: string; readonly operationId: string },
  eventIds: readonly string[],
  take: number,
): Promise<PaymentAct[]> {
  const requests = await database.approvalRequest.findMany({
    where: { operationId, kind: { in: ABOUT_DEPOSITS }, payload: { path: ['deposit'], equals: id } },
    select: { id: true },
  });
  const entries = await database.auditEntry.findMany({
    where: { subject: { in: [id, ...eventIds, ...requests.map((request) => request.id)] } },
    orderBy: { sequence: 'desc' },
    take,
    select: { sequence: true, at: true, person: true, action: true, detail: true },
  });
  return entries.toReversed();
}
