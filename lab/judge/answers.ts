// What the gateway says and asks, by what crossed its wires: a charge is closed on its provider's answer, answers come
// in time, webhooks are tried ever less often, and operators who poll miss nothing.
import type { Operator } from '../world/operator.js';
import { referenceOf, short } from '../world/story.js';
import type { EventRow } from './events.js';
import { type AlertRow, type Evidence, type Finding, isFelt, type Row } from './evidence.js';
import { GRACE_MS } from './waits.js';

/** The gateway answers within eight seconds; the rest is the way. */
const ANSWERED_MS = 8_600;
/** A person's act may look a payment up first. */
const PERSON_ANSWERED_MS = 16_000;
/** Ten of the schedule, some that people ask for, and some that are sent twice by a killed worker. */
const MOST_ATTEMPTS = 16;
/** Answers of a provider that say something about a payment. */
const CONCLUSIVE = [200, 201, 404];
/** Of moments that two processes note. */
const CLOSE_MS = 1_000;

/** In which state an alert of a wait may be open at rest; null: in none, because a provider that answers ends it. */
const WAITS: Readonly<Record<string, string | null>> = {
  CHARGE_UNANSWERED: 'created',
  EXPIRY_UNCONFIRMED: null,
  PAYOUT_OUTCOME_UNKNOWN: 'approved',
  CASH_BOX_SHORT: 'approved',
  PROVIDER_PAUSED: 'approved',
  OPERATION_SUSPENDED: 'approved',
  PROVIDER_BALANCE_SHORT: 'approved',
  PROVIDER_UNREACHABLE: 'approved',
  DISPATCH_CHECK_UNAVAILABLE: 'approved',
  PAYOUT_PROCESSING: 'processing',
};

/** At any moment: answers come in time. */
export function judgeAnswers({ asks, answers, ownTroublesMs, calmSinceMs, nowMs }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const isOwn = (atMs: number) => ownTroublesMs === null || isFelt(ownTroublesMs, atMs);
  for (const { atMs, answeredMs, method, path } of asks) {
    const tookMs = answeredMs === null ? 0 : answeredMs - atMs;
    if (tookMs > ANSWERED_MS && !isOwn(atMs))
      findings.push({ rule: 'operators are answered in time', detail: `${method} ${path}: ${tookMs} ms` });
  }
  if (calmSinceMs === null) return findings;
  for (const { id, what, atMs, tookMs, answer } of answers)
    if (atMs > calmSinceMs && atMs < nowMs && tookMs > PERSON_ANSWERED_MS)
      findings.push({ rule: 'people are answered in time', detail: `${what} ${short(id)}: ${answer}, ${tookMs} ms` });
  return findings;
}

/** Sweeps of a healed world are three hours apart, and overlap. */
const LONGEST_READ_MS = 4.5 * 3_600_000;

/** Where nothing ever went wrong, each sweep of what came goes on near where the last one ended. */
function judgeSweeps({ calls, calmSinceMs }: Evidence): Finding[] {
  if (calls === null || calmSinceMs !== -Infinity) return [];
  return calls.flatMap(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://provider');
    const [from, to] = [searchParams.get('inicio'), searchParams.get('fim')];
    if (!pathname.endsWith('/pix') || from === null || to === null || path.includes('devolucaoPresente=true'))
      return [];
    if (Date.parse(to) - Date.parse(from) <= LONGEST_READ_MS) return [];
    return [{ rule: 'a sweep goes on where the last one ended', detail: `${from} to ${to}` }];
  });
}

/** At rest: what was said rests on answers, sweeps read on, and alerts of waits have ended. */
export function judgeSaid(evidence: Evidence, rows: readonly Row[], alerts: readonly AlertRow[]): Finding[] {
  const { calls, illSlot } = evidence;
  const findings = judgeSweeps(evidence).slice(0, 1);
  const find = (rule: string, detail: string) => void findings.push({ rule, detail });
  const answered = new Map<string, number>();
  for (const { method, names, answeredMs, status } of calls ?? [])
    for (const name of names)
      if (method === 'GET' && answeredMs !== null && CONCLUSIVE.includes(status ?? 0)) answered.set(name, answeredMs);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { kind, object_id: id, is_open: isOpen } of alerts) {
    const row = byId.get(id ?? '');
    if (row === undefined || row.provider === illSlot) continue;
    if (isOpen && WAITS[kind] !== undefined && WAITS[kind] !== row.status)
      find('an alert of a wait ends with the wait', `${kind} of ${short(row.id)}, which is ${row.status}`);
  }
  if (calls === null) return findings;
  for (const { id, kind, status, provider, expires_ms: expiresMs } of rows) {
    if (kind !== 'deposit' || status !== 'expired' || provider === illSlot || expiresMs === null) continue;
    if ((answered.get(referenceOf(id)) ?? 0) < expiresMs)
      find('a charge is closed on what its provider says after its end', `deposit ${short(id)}`);
  }
  return findings;
}

/** At rest, of one operator: its charges last as long as it asked, and by polling it knows every payment. */
export function judgeOperator(
  { followed, attempts, asked }: Operator,
  rows: readonly Row[],
  { events, clocksOffMs }: { readonly events: readonly EventRow[]; readonly clocksOffMs: number },
): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail });
  for (const row of rows) {
    const known = followed[row.kind];
    if (known.times > 0 && known.states.get(row.id) !== `${row.status} ${row.version}`) {
      const detail = `${short(row.id)} is ${row.status} ${row.version}, not ${known.states.get(row.id) ?? 'known'}`;
      find('an operator that polls misses nothing', detail);
    }
    if (row.changed_ms < row.created_ms - 2 * clocksOffMs - CLOSE_MS)
      find(
        'a change is dated when it happens',
        `${short(row.id)}: ${(row.created_ms - row.changed_ms) / 1_000} s early`,
      );
    const request = asked.find(({ externalId, kind }) => kind === row.kind && externalId === row.external_id);
    const seconds = request?.expiresInSeconds ?? null;
    if (request === undefined || seconds === null || row.expires_ms === null) continue;
    const lastsMs = row.expires_ms - request.askedAtMs;
    if (lastsMs < (seconds - 2) * 1_000 - clocksOffMs)
      find('a charge lasts as long as was asked', `${short(row.id)}: ${lastsMs / 1_000} s`);
  }
  for (const { type, object_id: id, at_ms: atMs } of events) {
    if (type !== 'deposit.expired') continue;
    const expiresMs = rows.find((row) => row.id === id)?.expires_ms ?? -Infinity;
    if (atMs < expiresMs + GRACE_MS - 2 * clocksOffMs - CLOSE_MS)
      find('a charge is closed after its time of grace', `${short(id)}: ${(atMs - expiresMs) / 1_000} s after its end`);
  }
  for (const [event, times] of attempts)
    if (times.length > MOST_ATTEMPTS) find('a webhook is tried ever less often', `${event}: ${times.length} attempts`);
  return findings;
}
