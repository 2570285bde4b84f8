// Who may do what to a withdrawal, and what the rules' late word changes.
import assert from 'node:assert/strict';
import type { ReviewDecision } from '../../../domain/payments/deposit.js';
import { approve, cancel, refuse } from '../../../domain/payments/withdrawal-acts.js';
import { keyOwnerChange, laterJudgement, requestedDecision } from '../../../domain/payments/withdrawal-verdicts.js';
import { changed, movementsOf, resolvedBy } from '../../../domain/payments/withdrawal-record.js';
import { type PayoutSendState, type WithdrawalStatus } from '../../../domain/payments/withdrawal.js';
import { pendingRequest, type WriteOffAct } from '../../../domain/payments/write-off.js';
import type { PaymentActKind } from '../../../domain/staff.js';
import { storedAct } from '../../support/fakes/stored-act.js';
import { recordIn } from './withdrawal-record.js';

const AT = '2026-11-21T15:00:00.000Z';
const ana = { actId: 'u-1', person: 'ana', reason: 'checked', at: AT };
const ben = { ...ana, actId: 'u-2', person: 'ben' };
const asked = ({ actId, person, at }: typeof ana, kind: PaymentActKind = 'withdrawal.approve') => ({
  actId,
  at,
  stored: storedAct({ id: actId, kind, operationId: 'op_1', subjectId: 'wdr_1', subjectVersion: 1, handle: person }),
});
const uses = (word: typeof ana, others: readonly string[] = []) => ({
  id: word.actId,
  kind: 'withdrawal.approve',
  means: 'signature',
  address: null,
  others,
});
const approvedBy = (word: typeof ana): ReviewDecision => ({ ...word, decision: 'approve' });
const DUAL = { reasons: ['DUAL_APPROVAL_REQUIRED'] };

describe('an approval', () => {
  it('of one person is enough, unless two are needed', () => {
    const decidedBy = [approvedBy(ana)];
    const decision = recordIn('under_review').snapshot.decision;
    assert.deepEqual(approve(recordIn('under_review'), asked(ana)), {
      trigger: 'approve',
      fields: { decision: { ...decision, decidedBy, decidedAt: AT } },
      uses: uses(ana),
    });
    const first = approve(recordIn('under_review', DUAL), asked(ana));
    assert.deepEqual(first, {
      trigger: null,
      fields: { decision: { ...decision, ...DUAL, decidedBy } },
      uses: uses(ana),
    });
    const second = approve(recordIn('under_review', { ...DUAL, decidedBy }), asked(ben));
    assert.ok(typeof second === 'object' && second.trigger === 'approve');
    assert.deepEqual(second.uses, uses(ben, ['ana']));
    assert.deepEqual(
      second.fields?.decision?.decidedBy.map(({ person }) => person),
      ['ana', 'ben'],
    );
  });

  it('by the same person does not count twice; the same act is done already, in any state', () => {
    const decided = { ...DUAL, decidedBy: [approvedBy(ana)] };
    assert.equal(
      approve(recordIn('under_review', decided), asked({ ...ana, actId: 'u-9', person: 'А.nа' })),
      'same_person',
    );
    assert.equal(approve(recordIn('under_review', decided), asked(ana)), 'done');
    assert.equal(approve(recordIn('paid', decided), asked(ana)), 'done');
    assert.equal(approve(recordIn('paid', decided), asked(ben)), 'invalid_state');
  });

  it('needs the rules’ judgement; a refusal does not', () => {
    for (const [judgement, expected] of [
      ['none', 'not_judged'],
      ['refused', 'refused_by_rules'],
    ] as const) {
      const record = { ...recordIn('under_review'), judgement };
      assert.equal(approve(record, asked(ana)), expected);
      const refusal = refuse(record, asked(ana, 'withdrawal.refuse'));
      assert.ok(typeof refusal === 'object' && refusal.trigger === 'refuse');
      assert.equal(refusal.fields?.decision?.decidedAt, AT);
    }
  });

  it('may be followed by a refusal of the same person', () => {
    const step = refuse(recordIn('under_review', { ...DUAL, decidedBy: [approvedBy(ana)] }), {
      ...asked({ ...ana, actId: 'u-3' }, 'withdrawal.refuse'),
    });
    assert.ok(typeof step === 'object' && step.trigger === 'refuse');
  });
});

describe('a cancel', () => {
  const EXPECTED: Record<WithdrawalStatus, 'cancel' | 'done' | 'invalid_state'> = {
    requested: 'cancel',
    under_review: 'cancel',
    approved: 'cancel',
    processing: 'invalid_state',
    paid: 'invalid_state',
    rejected: 'invalid_state',
    failed: 'invalid_state',
    cancelled: 'done',
    returned: 'invalid_state',
  };
  for (const [status, expected] of Object.entries(EXPECTED))
    it(`while ${status}: ${expected}`, () => {
      const step = cancel(recordIn(status as WithdrawalStatus));
      assert.equal(typeof step === 'string' ? step : step.trigger, expected);
    });

  const SENDS: Record<PayoutSendState, boolean> = { cleared: true, claimed: false, not_sent: true, known: false };
  for (const [state, isPossible] of Object.entries(SENDS) as [PayoutSendState, boolean][])
    it(`of an approved one whose send is ${state}: ${isPossible ? 'possible' : 'too late'}`, () => {
      const send = { state, attempt: null, claimedAt: null, traceless: { lookUps: 0, since: null, lastAt: null } };
      const step = cancel({ ...recordIn('approved'), send });
      assert.equal(step !== 'invalid_state', isPossible);
    });
});

describe('the rules’ word', () => {
  const ORIGIN = { ruleSetVersion: 4, playerRevision: '1', keyCheckNeeded: false } as const;

  it('keeps the reason of the review first, each reason once', () => {
    const record = recordIn('under_review', { reasons: ['RULES_UNAVAILABLE'], ruleSetVersion: 0 });
    const change = laterJudgement(record, { ...ORIGIN, kind: 'review', reasons: ['IP_LISTED', 'FIRST_WITHDRAWAL'] });
    assert.deepEqual(change.fields?.decision?.reasons, ['RULES_UNAVAILABLE', 'IP_LISTED', 'FIRST_WITHDRAWAL']);
    assert.deepEqual([change.trigger, change.judgement, change.fields?.decision?.ruleSetVersion], [null, 'passed', 4]);
  });

  it('that refuses makes the approval impossible', () => {
    const record = recordIn('under_review', { reasons: ['RULES_UNAVAILABLE'] });
    const verdict = { kind: 'refuse', code: 'player_blocked', reasons: ['PLAYER_BLOCKED'], ruleSetVersion: 4 } as const;
    assert.equal(laterJudgement(record, verdict).judgement, 'refused');
  });

  it('on a requested one: a block rejects it, any other refusal goes to people who can only refuse it', () => {
    const refuse = (reason: string) =>
      requestedDecision({ kind: 'refuse', code: 'velocity_exceeded', reasons: [reason], ruleSetVersion: 4 }, AT);
    assert.deepEqual(
      [refuse('PLAYER_BLOCKED').trigger, refuse('VELOCITY_HARD_LIMIT').trigger],
      ['blocked', 'decided_manual'],
    );
    assert.deepEqual(
      [refuse('PLAYER_BLOCKED').judgement, refuse('VELOCITY_HARD_LIMIT').judgement],
      ['refused', 'refused'],
    );
  });
});

describe('the holder of the key', () => {
  const is = (finding: Parameters<typeof keyOwnerChange>[1]['finding'], status: WithdrawalStatus) =>
    keyOwnerChange(recordIn(status), { finding, endToEndId: null }, AT);

  it('is stored while it decides something', () => {
    assert.deepEqual(is('weak_match', 'requested'), { trigger: null, keyOwner: 'weak_match', lookupEndToEndId: null });
    assert.equal(is('match', 'approved'), null);
    assert.equal(is('unavailable', 'requested'), null);
    assert.equal(is('mismatch', 'cancelled'), null);
  });

  it('is another: rejected while requested, never approved while under review', () => {
    assert.deepEqual(
      [is('mismatch', 'requested')?.trigger, is('mismatch', 'under_review')?.trigger],
      ['blocked', null],
    );
    for (const status of ['requested', 'under_review'] as const) {
      const change = is('mismatch', status);
      assert.deepEqual([change?.judgement, change?.fields?.decision?.reasons], ['refused', ['DOCUMENT_MISMATCH']]);
    }
  });
});

describe('a change', () => {
  it('moves by the state table only', () => {
    assert.throws(() => changed(recordIn('paid'), { trigger: 'cancel' }, AT), /cancel is not allowed from paid/);
    const next = changed(recordIn('approved'), { trigger: 'cancel' }, AT);
    assert.deepEqual(
      [next.snapshot.status, next.snapshot.version, next.revision, next.snapshot.updatedAt],
      ['cancelled', 2, 2, AT],
    );
  });

  it('of a transition that moves money moves the amount once per version', () => {
    const next = changed(recordIn('approved'), { trigger: 'cancel' }, AT);
    assert.deepEqual(movementsOf(next.snapshot, { trigger: 'cancel' }), [
      { name: 'withdrawal_released', amountMinor: 3000n, step: '2', bank: null },
    ]);
    assert.deepEqual(movementsOf(next.snapshot, { trigger: null }), []);
  });

  it('out of `approved` resolves the alerts of the dispatch; a note resolves none', () => {
    assert.ok(resolvedBy(recordIn('approved').snapshot, { trigger: 'cancel' }).includes('PAYOUT_OUTCOME_UNKNOWN'));
    assert.deepEqual(resolvedBy(recordIn('approved').snapshot, { trigger: null }), []);
    assert.deepEqual(resolvedBy(recordIn('under_review').snapshot, { trigger: 'cancel' }), []);
    const { snapshot: processing } = recordIn('processing');
    assert.deepEqual(resolvedBy(processing, { trigger: 'payout_settled' }), ['PAYOUT_PROCESSING']);
  });
});

describe('a pending write-off', () => {
  const act = (decision: WriteOffAct['decision']): WriteOffAct => ({
    person: 'ana',
    decision,
    reason: '',
    evidence: 'ticket 1',
    at: AT,
    status: 'approved',
  });

  it('is the last request, until it lapses or is confirmed', () => {
    const request = act('request_conclusion');
    const pending = (writeOffs: readonly WriteOffAct[], at = AT, status = 'approved') =>
      pendingRequest({ status, writeOffs }, at);
    assert.equal(pending([]), null);
    assert.equal(pending([request], '2026-11-22T14:59:59.999Z'), request);
    assert.equal(pending([request], '2026-11-22T15:00:00.000Z'), null);
    assert.equal(pending([request, act('confirm_conclusion')]), null);
    assert.equal(pending([request], AT, 'processing'), null, 'of another state');
  });
});
