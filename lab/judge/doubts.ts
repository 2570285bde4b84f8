// What people must see before it counts, and only that: payments in doubt, payouts to people on lists, payouts during a
// stop. It is rebuilt from who paid what and when, and from what people entered.
import type { NotedCall } from '../machine/network.js';
import type { Operator } from '../world/operator.js';
import { brl, referenceOf, short } from '../world/story.js';
import { ByReference, type Evidence, type Finding, isFelt, type Listed, type Row } from './evidence.js';

const MINUTE_MS = 60_000;
/** What people enter holds for what is decided so much later. */
const KNOWN_AFTER_MS = MINUTE_MS;
/** What was read before is acted on, at the latest, so long after; while a process is ill, later. */
const ACTED_WITHIN_MS = 2 * MINUTE_MS;
const OWN_FELT_MS = 15 * MINUTE_MS;
/** States in which a payment counts as the player's. */
const CREDITED = ['paid', 'refunded', 'chargeback'];
/** Reasons that troubles may cause: somebody was not asked, or did not answer. */
const OWN_REASONS = ['RULES_UNAVAILABLE', 'RULES_INVALID_RESPONSE', 'PAYER_UNKNOWN'];

/**
 * Whether the rules may have been unavailable to a payment: something had gone wrong with the gateway itself, the look
 * was the last one before the charge's end, or its provider had answered before the one that could not wait for rules.
 */
function mayLackRules({ ownTroublesMs, calls }: Evidence, row: Row, paidMs: number): boolean {
  if (ownTroublesMs === null || calls === null) return true;
  const atMs = Date.parse(row.review_since ?? '');
  if (atMs > (row.expires_ms ?? 0) - MINUTE_MS) return true;
  if (isFelt(ownTroublesMs, paidMs, atMs)) return true;
  const isAnswer = ({ method, names, answeredMs, status }: NotedCall) =>
    method === 'GET' &&
    status === 200 &&
    answeredMs !== null &&
    answeredMs >= paidMs &&
    answeredMs <= atMs + 1_000 &&
    names.includes(referenceOf(row.id));
  return calls.filter(isAnswer).length > 1;
}

/** Whether somebody was on the block list in all of that time. */
function isListed(
  lists: readonly Listed[],
  of: Pick<Listed, 'operationId' | 'kind' | 'value'>,
  fromMs: number,
  toMs: number,
) {
  return lists.some(
    (one) =>
      one.list === 'block' &&
      one.operationId === of.operationId &&
      one.kind === of.kind &&
      one.value === of.value &&
      one.fromMs < fromMs &&
      (one.toMs === null || one.toMs > toMs),
  );
}

/** Findings about deposits: what is in doubt is not credited without people, and nothing else waits for them. */
export function judgeDoubts(evidence: Evidence, rows: readonly Row[]): Finding[] {
  const { books, payers, decisions, lists, operators, calmSinceMs, nameless } = evidence;
  const at = new ByReference(books);
  const findings: Finding[] = [];
  for (const row of rows) {
    if (row.kind !== 'deposit' || row.expires_ms === null) continue;
    const payment = at.charge(row.id)?.payments.find(({ end_to_end_id: id }) => id === row.end_to_end_id);
    if (payment === undefined) continue;
    const paidMs = Date.parse(payment.paid_at);
    const operator = operators.find(({ id }) => id === row.operation_id);
    const player = operator?.asked.find((one) => one.kind === 'deposit' && one.externalId === row.external_id)?.player;
    const blocked = { operationId: row.operation_id, kind: 'player', value: player ?? '' } as const;
    const payer = payers.get(payment.end_to_end_id);
    const doubts = [
      ...(payer === 'another' ? ['PAYER_MISMATCH'] : []),
      ...(payer === 'unreported' ? ['PAYER_UNKNOWN'] : []),
      ...(payment.amount_minor === row.amount ? [] : ['AMOUNT_MISMATCH']),
      ...(paidMs > row.expires_ms ? ['PAID_AFTER_EXPIRY'] : []),
      ...(isListed(lists, blocked, paidMs - KNOWN_AFTER_MS, evidence.nowMs) ? ['PAYER_BLOCKED'] : []),
    ];
    const find = (rule: string, detail: string) =>
      void findings.push({ rule, detail: `${short(row.id)} of ${brl(row.amount)} is ${row.status}: ${detail}` });
    const isApproved = decisions.some(({ id, decision }) => id === row.id && decision === 'approve');
    if (CREDITED.includes(row.status) && doubts.length > 0 && !isApproved)
      find('a payment in doubt is not credited without people', doubts.join(', '));
    if (row.status !== 'under_review') continue;
    const wasListed = lists.some((one) => one.list === 'block' && one.operationId === row.operation_id);
    const isTrue = (reason: string) =>
      doubts.includes(reason) ||
      (reason === 'PAYER_UNKNOWN' && (payer !== undefined || nameless.includes(row.provider))) ||
      (reason === 'RULES_UNAVAILABLE'
        ? mayLackRules(evidence, row, paidMs)
        : OWN_REASONS.includes(reason) && (calmSinceMs === null || paidMs < calmSinceMs)) ||
      (reason === 'PAYER_BLOCKED' && wasListed);
    const untrue = row.reasons.filter((reason) => !isTrue(reason));
    if (untrue.length > 0) find('people see a payment for a true reason', `${untrue.join(', ')}`);
    const missing = doubts.filter((doubt) => !row.reasons.includes(doubt));
    if (missing.length > 0 && !row.reasons.some((reason) => OWN_REASONS.includes(reason)))
      find('people are told of every doubt', missing.join(', '));
  }
  return findings;
}

/** Findings about payouts: none goes to somebody on the block list, and none leaves while people have stopped it. */
export function judgeSends(evidence: Evidence, rows: readonly Row[]): Finding[] {
  const { calls, lists, stops, operators, ownTroublesMs } = evidence;
  if (calls === null || ownTroublesMs === null) return [];
  const findings: Finding[] = [];
  const byReference = new Map(rows.flatMap((row) => (row.kind === 'withdrawal' ? [[referenceOf(row.id), row]] : [])));
  for (const { atMs, method, names } of calls) {
    const row = method === 'GET' ? undefined : names.map((name) => byReference.get(name)).find((found) => found);
    if (row === undefined || ownTroublesMs.some((ms) => ms > atMs - OWN_FELT_MS && ms < atMs)) continue;
    const fromMs = atMs - ACTED_WITHIN_MS;
    const operator = operators.find(({ id }) => id === row.operation_id);
    const listed = listedOf(row, operator);
    if (listed.some((one) => isListed(lists, one, fromMs, atMs)))
      findings.push({ rule: 'nothing is sent to somebody who is blocked', detail: `withdrawal ${short(row.id)}` });
    for (const { what, of, fromMs: sinceMs, toMs } of stops) {
      // Of what it refuses nothing has left: it is asked again.
      if (what === 'balance' || sinceMs > fromMs || (toMs !== null && toMs <= atMs)) continue;
      const isOwn = what === 'provider' ? of === row.provider : of === row.operation_id;
      if (isOwn && !(what === 'automatic' && row.is_manual))
        findings.push({ rule: 'nothing is sent while people have stopped it', detail: `${what}: ${short(row.id)}` });
    }
  }
  return findings;
}

/** Under what a withdrawal's player can be blocked. */
function listedOf(row: Row, operator: Operator | undefined): Pick<Listed, 'operationId' | 'kind' | 'value'>[] {
  const asked = operator?.asked.find((one) => one.kind === 'withdrawal' && one.externalId === row.external_id);
  return asked === undefined ? [] : [{ operationId: row.operation_id, kind: 'player', value: asked.player }];
}
