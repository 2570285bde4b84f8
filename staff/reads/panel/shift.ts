// The figures of a shift, as the panel shows them.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import {
  decidedByPeople,
  decidedByReason,
  flaggedDecisions,
  type ShiftFilter,
  waitingByReason,
  waitingCases,
} from '../../../store/support/shift.js';
import type { Viewer } from '../../viewer.js';
import type { CaseReads } from './case.js';

const HOUR_MS = 3_600_000;

/** What people decided in the last hours in the operations that the viewer reaches, and what waits there. */
export async function readShift(
  { database, decideWithinSeconds }: Pick<CaseReads, 'database' | 'decideWithinSeconds'>,
  viewer: Viewer,
  { hours, operation }: Asked<'readShift'>['query'],
  now: Date,
): Promise<Answering<'readShift'>> {
  const since = new Date(now.getTime() - Number(hours) * HOUR_MS);
  const filter: ShiftFilter = { reach: viewer.reach, operationId: operation ?? null, since, decideWithinSeconds };
  const [waiting, people, decided, waits, flagged] = await Promise.all([
    waitingCases(database, filter),
    decidedByPeople(database, filter),
    decidedByReason(database, filter),
    waitingByReason(database, filter),
    flaggedDecisions(database, filter),
  ]);
  return {
    since,
    ...waiting,
    people: people.map(({ medianSeconds, ...counts }) => ({ ...counts, median_seconds: medianSeconds })),
    reasons: reasonsOf(decided, waits),
    flagged: flagged.map(({ paymentId, kind, amountMinor, currency, person, at }) => ({
      payment_id: paymentId,
      kind,
      amount: toMoney(amountMinor, currency),
      person,
      at,
    })),
  };
}

const NOTHING = { approved: 0, refused: 0, medianSeconds: null };

/** The reasons with the most cases first. */
function reasonsOf(
  decided: Awaited<ReturnType<typeof decidedByReason>>,
  waits: Awaited<ReturnType<typeof waitingByReason>>,
): Answering<'readShift'>['reasons'] {
  const codes = new Set([...decided, ...waits].map(({ code }) => code));
  return [...codes]
    .map((code) => {
      const { approved, refused, medianSeconds } = decided.find((row) => row.code === code) ?? NOTHING;
      const waiting = waits.find((row) => row.code === code)?.waiting ?? 0;
      return { code, approved, refused, median_seconds: medianSeconds, waiting };
    })
    .sort((one, other) => sumOf(other) - sumOf(one) || one.code.localeCompare(other.code));
}

const sumOf = (row: { readonly approved: number; readonly refused: number; readonly waiting: number }) =>
  row.approved + row.refused + row.waiting;
