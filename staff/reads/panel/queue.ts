// The review queue, in pages.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { limitMinor, toMoney } from '../../../domain/money.js';
import { approvalsNeeded } from '../../../domain/payments/withdrawal.js';
import { type QueuePlace, type QueueRow, readQueuePage } from '../../../store/support/review-queue.js';
import { operatorReasonsOf } from '../../../store/sealing/orders.js';
import { type ListedBy, readListsOf } from '../../../store/players/listed.js';
import { withUndoneReturn } from '../../../store/support/decided-payments.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { Viewer } from '../../viewer.js';
import type { CaseReads } from './case.js';
import { later } from './case.js';
import { shownWork } from './case-work.js';
import { readCursor, writeCursor } from './cursor.js';
import { ownReasons } from './payment.js';

const PAGE_SIZE = 50;

/** A page; `bad_cursor` for a cursor that is not ours, or of another sort. */
export async function readQueue(
  { database, sealer, decideWithinSeconds }: CaseReads,
  viewer: Viewer,
  query: Asked<'readQueue'>['query'],
  now: Date,
): Promise<Answering<'readQueue'> | 'bad_cursor'> {
  const place = query.cursor === undefined ? null : placeOf(query.cursor, query.sort);
  if (place === 'bad_cursor') return place;
  const asOf = place?.asOf ?? now.toISOString();
  const rows = await readQueuePage(database, {
    reach: viewer.reach,
    operationId: query.operation ?? null,
    kind: query.kind ?? null,
    reason: query.reason ?? null,
    leastMinor: limitMinor(query.min_amount),
    work: query.work ?? null,
    person: viewer.handle,
    sort: query.sort,
    asOf,
    after: place,
    take: PAGE_SIZE + 1,
  });
  const shown = rows.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  const deposits = shown.filter(({ kind }) => kind === 'deposit').map(({ id }) => id);
  const [lists, undone] = await Promise.all([readListsOf(database, shown), withUndoneReturn(database, deposits)]);
  return {
    items: shown.map((row, index) => ({
      ...item(row, sealer, { decideWithinSeconds, now }),
      blocked: blockedKinds(lists[index] ?? []),
      return_undone: undone.has(row.id),
    })),
    next: rows.length > PAGE_SIZE && last !== undefined ? writeCursor([query.sort, asOf, last.score, last.id]) : null,
    as_of: asOf,
  };
}

function blockedKinds(lists: readonly ListedBy[]): string[] {
  return lists.filter(({ list }) => list === 'block').map(({ kind }) => kind);
}

function placeOf(cursor: string, sort: string): (QueuePlace & { readonly asOf: string }) | 'bad_cursor' {
  const parts = readCursor(cursor, 4);
  if (parts === null) return 'bad_cursor';
  const [of = '', asOf = '', score = '', id = ''] = parts;
  const isOurs = of === sort && !Number.isNaN(Date.parse(asOf)) && /^-?\d{1,60}(\.\d{1,30})?$/.test(score);
  return isOurs ? { asOf, score, id } : 'bad_cursor';
}

function item(row: QueueRow, sealer: Sealer, { decideWithinSeconds, now }: { decideWithinSeconds: number; now: Date }) {
  const { id, operationId, currency } = row;
  const decideBy = later(new Date(row.since), decideWithinSeconds);
  return {
    id,
    kind: row.kind,
    operation: { id: operationId, name: row.operationName },
    external_id: row.externalId,
    player_ref: row.playerRef,
    version: row.version,
    amount: toMoney(row.amountMinor, currency),
    paid_amount: row.paidAmountMinor === null ? null : toMoney(row.paidAmountMinor, currency),
    reasons: reasonsOf(row, sealer),
    since: row.since,
    decide_by: decideBy,
    is_overdue: decideBy <= now,
    approvals: {
      given: row.decidedBy.filter(({ decision }) => decision === 'approve').map(({ person }) => person),
      needed: row.kind === 'withdrawal' ? approvalsNeeded(row.reasons) : 1,
    },
    claim:
      row.claimedBy === null || row.claimedUntil === null ? null : { person: row.claimedBy, until: row.claimedUntil },
    work: shownWork(
      {
        assignedTo: row.assignedTo,
        snoozedUntil: row.snoozedUntil === null ? null : new Date(row.snoozedUntil),
        isEscalated: row.isEscalated ?? false,
        isAsked: row.isAsked ?? false,
      },
      now,
    ),
  };
}

function reasonsOf({ id, operationId, reasons, requestSealed }: QueueRow, sealer: Sealer) {
  const codes = reasons.map((code) => ({ from: 'rules' as const, code, compared: null }));
  if (requestSealed === null) return codes;
  const own = operatorReasonsOf(sealer, { id, operationId, sealedRequest: requestSealed });
  return [...codes, ...ownReasons(own)];
}
