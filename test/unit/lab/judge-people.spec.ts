// The judge of the searcher's lives: what must be soon, and what people must see, in small worlds made by hand.
import assert from 'node:assert/strict';
import { judgeSaid } from '../../../lab/judge/answers.js';
import { judgeDoubts, judgeSends } from '../../../lab/judge/doubts.js';
import { judgeRules } from '../../../lab/judge/rules.js';
import { answersSoon, bookedSoon, movesSoon } from '../../../lab/judge/prompt.js';
import type { Evidence, Row } from '../../../lab/judge/evidence.js';
import type { Operator } from '../../../lab/world/operator.js';
import {
  OPERATION,
  REFERENCE,
  operator,
  deposit,
  type Payments,
  back,
  booksOf,
  paid,
  evidenceOf,
} from '../../support/small-world.js';

describe('what must be soon', () => {
  const MINUTE_MS = 60_000;
  const pending = deposit({ status: 'pending', paid_amount: null, end_to_end_id: null });
  const seen = (change: Partial<Evidence>, row = pending) => {
    const evidence = {
      ...evidenceOf(booksOf([paid('E1', '1000')]), {}, { nowMs: 6 * MINUTE_MS }),
      ...{ calmSinceMs: -1, moved: new Map([[pending.id, 0]]) },
      ...change,
    };
    return movesSoon(evidence, [row], []).length;
  };

  it('is a payment that a callback told of, in a calm world alone', () => {
    assert.equal(seen({}), 1);
    assert.equal(seen({ nowMs: 5 * MINUTE_MS }), 0);
    assert.equal(seen({ calmSinceMs: null }), 0);
    assert.equal(seen({ calmSinceMs: 1 }), 0);
    assert.equal(seen({}, { ...pending, amount: '66607' }), 0);
  });

  it('is that what came is booked: sweeps of payments pass more often than those of returns', async () => {
    const found = async (minutes: number, reversals: Payments[number]['reversals']) => {
      const books = booksOf([paid('E1', '1000', reversals)]);
      const calm = { calmSinceMs: -1, moved: new Map([[pending.id, 0]]) };
      const bounds = { sweptMs: 60 * MINUTE_MS, cameSweptMs: 40 * MINUTE_MS };
      const evidence = { ...evidenceOf(books, {}, { nowMs: minutes * MINUTE_MS }), ...calm, ...bounds };
      return (await bookedSoon(evidence, [pending])).length;
    };
    assert.equal(await found(40, []), 0);
    assert.equal(await found(41, []), 1);
    assert.equal(await found(41, [back('400')]), 0);
    assert.equal(await found(61, [back('400')]), 1);
  });

  it('is a return that people decided', () => {
    const decisions = [{ id: pending.id, person: 'ana', decision: 'return', atMs: 0 }];
    assert.equal(seen({ decisions }, { ...pending, status: 'under_review' }), 1);
    const books = booksOf([paid('E1', '1000', [back('1000')])]);
    assert.equal(seen({ decisions, books }, { ...pending, status: 'under_review' }), 0);
  });

  it('is an answer to an operator, unless something of the gateway was away', () => {
    const unanswered = [{ externalId: 'one', atMs: 100 * MINUTE_MS, what: 'service_unavailable' }];
    const told = (ownTroublesMs: number[] | null, stops: Evidence['stops'] = []) =>
      answersSoon({
        ...evidenceOf(booksOf([]), {}),
        stops,
        operators: [{ ...operator, unanswered } as unknown as Operator],
        ownTroublesMs,
      }).length;
    assert.equal(told([]), 1);
    assert.equal(told([], [{ what: 'provider', of: 'a', fromMs: 0, toMs: 100 * MINUTE_MS }]), 0, 'people paused it');
    assert.equal(told([9 * MINUTE_MS]), 1);
    assert.equal(told([11 * MINUTE_MS]), 0);
    assert.equal(told(null), 0);
  });
});

describe('what people must see', () => {
  const HOUR_MS = 3_600_000;
  const paidMs = Date.parse('2026-01-05T09:00:00Z');
  const row = deposit({ expires_ms: paidMs + HOUR_MS });
  const withdrawal = deposit({ id: `wdr_${REFERENCE}`, kind: 'withdrawal', status: 'processing' });
  const asked = ['deposit', 'withdrawal'].map((kind) => ({ kind, externalId: 'one', player: 'player1' }));
  const of = (more: Partial<Evidence>): Evidence => ({
    ...evidenceOf(booksOf([paid('E1', '1000')]), {}),
    operators: [{ ...operator, asked } as unknown as Operator],
    nowMs: paidMs + HOUR_MS,
    ...more,
  });
  const rulesOf = (findings: readonly { rule: string }[]) => findings.map(({ rule }) => rule);

  it('is a payment in doubt', () => {
    const payers = new Map([['E1', 'another'] as const]);
    assert.deepEqual(judgeDoubts(of({}), [row]), []);
    assert.deepEqual(rulesOf(judgeDoubts(of({ payers }), [row])), [
      'a payment in doubt is not credited without people',
    ]);
    assert.equal(judgeDoubts(of({}), [{ ...row, expires_ms: paidMs - 1 }]).length, 1);
    const decisions = [{ id: row.id, person: 'ana', decision: 'approve', atMs: 0 }];
    assert.deepEqual(judgeDoubts(of({ payers, decisions }), [row]), []);
  });

  it('is nothing else', () => {
    const untrue = ['people see a payment for a true reason'];
    const held = { ...row, status: 'under_review', review_since: '2026-01-05T09:01:00Z' };
    const invalid = { ...held, reasons: ['RULES_INVALID_RESPONSE'] };
    assert.deepEqual(judgeDoubts(of({}), [invalid]), []);
    assert.deepEqual(rulesOf(judgeDoubts(of({ calmSinceMs: 0 }), [invalid])), untrue);
    const silent = { ...held, reasons: ['RULES_UNAVAILABLE'] };
    const answer = { from: 'worker', port: 1, method: 'GET', path: '/', names: [REFERENCE], status: 200 };
    const answered = { ...answer, atMs: paidMs, answeredMs: paidMs + 1_000 };
    const found = (ownTroublesMs: number[], answers: number, one = silent) =>
      rulesOf(judgeDoubts(of({ ownTroublesMs, calls: Array.from({ length: answers }, () => answered) }), [one]));
    assert.deepEqual(found([], 1), untrue);
    assert.deepEqual(found([paidMs], 1), [], 'something of the gateway was away');
    assert.deepEqual(found([], 2), [], 'the look that served the rules got no answer');
    assert.deepEqual(found([], 1, { ...silent, review_since: '2026-01-05T09:59:30Z' }), [], 'the last look');
  });

  it('is a withdrawal that the rules in force, or its operator, keep for people', () => {
    const minute = 60_000;
    const row = { ...withdrawal, created_ms: 3 * minute };
    const lenient = { auto_multiplier: '100', first_withdrawal_manual: false };
    const found = (
      currency: Partial<Evidence['rules'][number]['currency']>,
      change: Partial<Row> = {},
      doneMs = minute,
    ) =>
      judgeRules(of({ rules: [{ operationId: OPERATION, doneMs, currency: { ...lenient, ...currency } }] }), [
        { ...row, ...change },
      ]).length;
    assert.equal(found({}), 0);
    assert.equal(found({ auto_multiplier: '0' }), 1);
    assert.equal(found({ auto_multiplier: '0' }, { is_manual: true }), 0);
    assert.equal(found({ auto_max_per_withdrawal: '999' }), 1);
    assert.equal(found({ auto_max_per_withdrawal: '1000' }), 0);
    assert.equal(found({ auto_max_per_withdrawal: '999' }, { status: 'under_review' }), 0);
    assert.equal(found({ auto_max_per_withdrawal: '999' }, {}, 2.5 * minute), 0, 'it came as they changed');
    assert.equal(found({ dual_approval_above: '999' }, { is_manual: true }), 1);
    assert.equal(found({ dual_approval_above: '999' }, { is_manual: true, needs_two: true }), 0);
    assert.equal(found({ first_withdrawal_manual: true }), 1);
    assert.equal(found({ first_withdrawal_manual: true }, { status: 'paid' }), 0);
    assert.equal(found({ max_withdrawals_per_day: 0 }), 1);
    assert.equal(found({ auto_max_per_day: '999' }), 1);
    assert.equal(found({ withdrawal_max: '999' }), 1);
    assert.equal(found({ withdrawal_min: '1001', deposit_min: '1' }), 1);
    assert.equal(found({ withdrawal_min: '1000', withdrawal_max: '1000', deposit_max: '1' }), 0);
    const wanted = [{ kind: 'withdrawal', externalId: 'one', player: 'player1', wantsReview: true }];
    const operators = [{ ...operator, asked: wanted } as unknown as Operator];
    assert.equal(judgeRules(of({ operators }), [row]).length, 1);
    const refused = { ...row, status: 'rejected', reasons: ['BLOCKLIST_HIT_AT_DISPATCH'] };
    const listed = { operationId: OPERATION, kind: 'player', value: 'player1', fromMs: 0, toMs: null } as const;
    assert.equal(judgeRules(of({ lists: [{ ...listed, list: 'review' }] }), [refused]).length, 1);
    assert.equal(judgeRules(of({ lists: [{ ...listed, list: 'block' }] }), [refused]).length, 0);
  });

  it('is a payout to somebody who is blocked, or that people have stopped', () => {
    const call = { from: 'worker', port: 1, atMs: HOUR_MS, method: 'POST', path: '/', answeredMs: null, status: null };
    const sent = { calls: [{ ...call, names: [REFERENCE] }], ownTroublesMs: [] };
    const since = { fromMs: 0, toMs: null };
    const listed = { ...since, operationId: OPERATION, list: 'block', kind: 'player', value: 'player1' } as const;
    assert.deepEqual(judgeSends(of(sent), [withdrawal]), []);
    assert.equal(judgeSends(of({ ...sent, lists: [listed] }), [withdrawal]).length, 1);
    const stop = { ...since, what: 'provider', of: 'simulator' } as const;
    assert.equal(judgeSends(of({ ...sent, stops: [stop] }), [withdrawal]).length, 1);
    assert.equal(judgeSends(of({ ...sent, stops: [{ ...stop, toMs: HOUR_MS }] }), [withdrawal]).length, 0);
  });

  it('is not read anew: a sweep goes on where the last one ended', () => {
    const read = (hours: number, calmSinceMs: number | null) => {
      const span = `inicio=2026-01-05T00:00:00Z&fim=2026-01-05T0${hours}:00:00Z`;
      const call = { from: 'worker', port: 1, atMs: 0, method: 'GET', names: [], answeredMs: 0, status: 200 };
      return judgeSaid(of({ calls: [{ ...call, path: `/a/pix?${span}` }], calmSinceMs }), [], []).length;
    };
    assert.equal(read(4, -Infinity), 0);
    assert.equal(read(5, -Infinity), 1);
    assert.equal(read(5, 0), 0, 'a sweep was missing');
  });

  it('is not what the gateway cannot know: a charge is closed on an answer after its end', () => {
    const expired = { ...row, status: 'expired' };
    const call = { from: 'worker', port: 1, method: 'GET', path: '/', names: [REFERENCE], status: 200 };
    const at = (ms: number) => ({ calls: [{ ...call, atMs: ms, answeredMs: ms }] });
    assert.equal(judgeSaid(of(at(paidMs)), [expired], []).length, 1);
    assert.equal(judgeSaid(of(at(paidMs + HOUR_MS)), [expired], []).length, 0);
    const alert = { kind: 'PAYOUT_OUTCOME_UNKNOWN', object_id: withdrawal.id, is_open: true };
    assert.deepEqual(rulesOf(judgeSaid(of({ calls: [], ownTroublesMs: [] }), [withdrawal], [alert])), [
      'an alert of a wait ends with the wait',
    ]);
    const unconfirmed = { kind: 'EXPIRY_UNCONFIRMED', object_id: row.id, is_open: true };
    const confirmed = judgeSaid(of(at(paidMs + HOUR_MS)), [expired], [{ ...unconfirmed, is_open: false }]);
    assert.deepEqual(confirmed, []);
    assert.equal(judgeSaid(of(at(paidMs + HOUR_MS)), [expired], [unconfirmed]).length, 1, 'its provider answers');
  });
});
