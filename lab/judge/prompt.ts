// What must happen soon in a calm world, in which nothing has gone wrong for hours: sweeps and checks would mend it
// later, and nobody would see that the first way is broken.
import { SENTINELS } from '../../sandbox/simulator/behaviours.js';
import type { BookedCharge } from '../world/provider.js';
import { short } from '../world/story.js';
import {
  type AlertRow,
  ByReference,
  cameBackOf,
  cameOf,
  type Evidence,
  type Finding,
  hasLeft,
  isFelt,
  type Row,
} from './evidence.js';
import { isTold } from './waits.js';

const MINUTE_MS = 60_000;
/** A callback, a look-up and a second one; less than a sweep comes after. */
const SOON_MS = 5 * MINUTE_MS;
/** Amounts of which the provider sends no callback. */
const UNTOLD = new Set(
  SENTINELS.flatMap((row) =>
    row.subject !== 'key' && row.behaviour.callbacks?.copies === 0 ? [String(row.amountMinor)] : [],
  ),
);

/** Providers that are silent or down keep no operator waiting: it is answered, at once and with a decision. */
export function answersSoon({ operators, ownTroublesMs, stops }: Evidence): Finding[] {
  if (ownTroublesMs === null) return [];
  // While people have paused a provider, its deposits are refused.
  const isPaused = (atMs: number) =>
    stops.some(
      ({ what, fromMs, toMs }) =>
        what === 'provider' && fromMs < atMs + MINUTE_MS && (toMs === null || toMs > atMs - MINUTE_MS),
    );
  const isOwn = (atMs: number) => isPaused(atMs) || isFelt(ownTroublesMs, atMs);
  return operators.flatMap(({ name, unanswered }) =>
    unanswered
      .filter(({ atMs }) => !isOwn(atMs))
      .map(({ externalId, what }) => ({
        rule: 'whatever a provider does, operators are answered',
        detail: `${name}: ${externalId}: ${what}`,
      })),
  );
}

/** Findings about what should have moved at once. `alerts`: of people's work that is known to wait. */
export function movesSoon(evidence: Evidence, rows: readonly Row[], alerts: readonly AlertRow[]): Finding[] {
  const { books, decisions, moved, nowMs, calmSinceMs } = evidence;
  if (calmSinceMs === null) return [];
  const at = new ByReference(books);
  const findings: Finding[] = [];
  const isDue = (sinceMs: number | undefined) =>
    sinceMs !== undefined && sinceMs > calmSinceMs && nowMs - sinceMs > SOON_MS;
  for (const row of rows) {
    const { id, kind, status, amount } = row;
    const find = (rule: string) =>
      void findings.push({ rule, detail: `${kind} ${short(id)} is ${status}, ${amount} centavos` });
    if (isTold(row, alerts)) continue;
    if (isDue(moved.get(id)) && !UNTOLD.has(amount) && !evidence.isMute) {
      if (kind === 'deposit' && status === 'pending' && (at.charge(id)?.payments.length ?? 0) > 0)
        find('in a calm world a payment is seen as its callback comes');
      if (status === 'processing' && ['paid', 'failed', 'returned'].includes(at.payout(id)?.status ?? ''))
        find('in a calm world the end of a payout is seen as its callback comes');
    }
    const decided = decisions.findLast((one) => one.id === id);
    const reversals = (at.charge(id)?.payments ?? []).flatMap((payment) => payment.reversals);
    if (decided?.decision === 'return' && status === 'under_review' && isDue(decided.atMs) && reversals.length === 0)
      find('in a calm world a return that was decided reaches the provider');
  }
  return findings;
}

/** Look-ups, checks and repeats of what waits: so many workflow tasks between two looks. */
const MOST_TASKS_AT_REST = 12;
const UNCHANGED_MS = 45 * MINUTE_MS;

/** Findings about payments that wait, and whose workflows do not. */
export function restsSoon({ tasks, moved, nowMs, calmSinceMs, decisions }: Evidence, rows: readonly Row[]): Finding[] {
  if (calmSinceMs === null) return [];
  const isOld = (ms: number | undefined) => ms === undefined || nowMs - ms > UNCHANGED_MS;
  return rows
    .filter(({ id, changed_ms: changedMs }) => {
      const decidedMs = decisions.findLast((one) => one.id === id)?.atMs;
      return isOld(changedMs) && isOld(moved.get(id)) && isOld(decidedMs) && (tasks.get(id) ?? 0) > MOST_TASKS_AT_REST;
    })
    .map(({ id, kind, status }) => ({
      rule: 'in a calm world what waits rests',
      detail: `${kind} ${short(id)} is ${status}, with ${tasks.get(id)} tasks since the last look`,
    }));
}

/** Findings about money that moved, and that the books do not have, though sweeps have passed since. */
export async function bookedSoon(evidence: Evidence, rows: readonly Row[]): Promise<Finding[]> {
  const { books, moved, nowMs, calmSinceMs, sweptMs, cameSweptMs, database, illSlot } = evidence;
  const at = new ByReference(books);
  const boundOf = ({ id, kind }: Row) => (kind === 'deposit' && hasOnlyCome(at.charge(id)) ? cameSweptMs : sweptMs);
  const due = rows.filter((row) => {
    const movedMs = moved.get(row.id);
    if (movedMs === undefined || row.provider === illSlot) return false;
    return movedMs > (calmSinceMs ?? Infinity) && nowMs - movedMs > boundOf(row);
  });
  if (due.length === 0) return [];
  const booked = await database.query<{ id: string; held: string }>(
    `SELECT object_id AS id, (-sum(amount_minor))::text AS held FROM ledger_entry
     WHERE account = 'provider_clearing' AND object_id = ANY ($1) GROUP BY 1`,
    [due.map(({ id }) => id)],
  );
  const heldOf = new Map(booked.map(({ id, held }) => [id, BigInt(held)]));
  return due.flatMap(({ id, kind, status }) => {
    const payout = at.payout(id);
    const must =
      cameOf(at.charge(id)) - (hasLeft(payout) ? BigInt(payout?.amount_minor ?? '0') : 0n) + cameBackOf(payout);
    const held = heldOf.get(id) ?? 0n;
    if (held === must) return [];
    const detail = `${kind} ${short(id)} is ${status}: the books have ${held}, the provider ${must}`;
    return [{ rule: 'in a calm world what moved is booked once sweeps have passed', detail }];
  });
}

function hasOnlyCome(charge: BookedCharge | undefined): boolean {
  return charge !== undefined && charge.payments.every(({ reversals }) => reversals.length === 0);
}
