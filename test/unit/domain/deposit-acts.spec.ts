// What follows from the provider's answers and from acts on a deposit.
import assert from 'node:assert/strict';
import { DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import type { PersonAct } from '../../../domain/staff.js';
import {
  approve,
  cancel,
  chargeAnswered,
  expire,
  requestReturn,
  returnDone,
  returnRefused,
} from '../../../domain/payments/deposit-acts.js';
import {
  type BookedReturn,
  changed,
  movementsOf,
  type ReturnRequest,
  resolvedBy,
} from '../../../domain/payments/deposit-record.js';
import { depositIdOfReturn, isReturnReference, returnReferenceOf } from '../../../domain/identifiers.js';
import { AT, recordIn } from './deposit-records.js';
import { storedAct } from '../../support/fakes/stored-act.js';

const KEPT = { actId: 'act-1', person: 'ana', reason: 'checked', at: AT };
const REQUEST = { ...KEPT, reason: 'another payer', of: 'E1', amountMinor: 5000n, returnedBeforeMinor: 0n };
const asked = (
  kind: 'deposit.approve' | 'deposit.return',
  { actId, person, reason, at }: Omit<ReturnRequest, 'amountMinor'>,
): PersonAct => ({
  actId,
  at,
  stored: storedAct({
    id: actId,
    kind,
    operationId: 'op_1',
    subjectId: 'dep_1',
    subjectVersion: 3,
    handle: person,
    reason,
  }),
});
const part = (amountMinor: bigint, of = 'E1'): BookedReturn => ({
  of,
  reference: 'R1',
  amountMinor,
  kind: 'refund',
  at: AT,
  saidBy: 'provider',
});
const ACT = asked('deposit.approve', { ...REQUEST, ...KEPT });
const RETURN = asked('deposit.return', REQUEST);
const UNPAID = ['created', 'pending', 'expired', 'cancelled', 'failed', 'paid', 'returned', 'refunded', 'chargeback'];

describe('the answer to the request for a charge', () => {
  const instructions = { copyPaste: '0002', qrCodePngBase64: null, expiresAt: AT };

  it('makes the deposit payable, with the provider’s own term', () => {
    assert.deepEqual(chargeAnswered(recordIn('created'), { kind: 'created', instructions, expiresAt: AT }), {
      trigger: 'charge_created',
      fields: { instructions, expiresAt: AT },
      resolves: ['CHARGE_UNANSWERED'],
    });
  });

  it('fails it; without the sandbox marker somebody must look at the credentials', () => {
    assert.deepEqual(chargeAnswered(recordIn('created'), { kind: 'refused', failureCode: 'psp_rejected' }), {
      trigger: 'charge_refused',
      fields: { failureCode: 'psp_rejected' },
      resolves: ['CHARGE_UNANSWERED'],
    });
    const guarded = chargeAnswered(recordIn('created'), { kind: 'refused', failureCode: 'environment_guard' });
    assert.deepEqual([guarded?.alert?.kind, guarded?.alert?.occasion], ['ENVIRONMENT_GUARD', 'charge']);
  });

  it('counts once', () => {
    for (const status of DEPOSIT_STATUSES.filter((one) => one !== 'created'))
      assert.equal(chargeAnswered(recordIn(status), { kind: 'created', instructions, expiresAt: AT }), null);
  });
});

describe('acts on a deposit', () => {
  it('cancel: a pending one; repeated, it is done', () => {
    for (const status of DEPOSIT_STATUSES)
      assert.deepEqual(
        cancel(recordIn(status)),
        status === 'pending' ? { trigger: 'cancel' } : status === 'cancelled' ? 'done' : 'invalid_state',
      );
  });

  it('expire: a pending one; done if it expired since the version that the caller has seen', () => {
    for (const status of DEPOSIT_STATUSES)
      assert.deepEqual(expire(recordIn(status), 3), status === 'pending' ? { trigger: 'expiry' } : 'invalid_state');
    assert.deepEqual(expire(recordIn('expired'), 2), 'done');
  });

  it('approve: one under review, with the person and the act', () => {
    assert.deepEqual(approve(recordIn('under_review'), ACT), {
      trigger: 'approve',
      fields: { decidedBy: [{ ...KEPT, decision: 'approve' }] },
      act: { person: 'ana', decision: 'approve', reason: 'checked', at: AT, number: 1 },
      uses: { id: 'act-1', kind: 'deposit.approve', means: 'signature', address: null, others: [] },
    });
    for (const status of DEPOSIT_STATUSES.filter((one) => UNPAID.includes(one)))
      assert.deepEqual(approve(recordIn(status), ACT), 'invalid_state');
  });

  it('approve: refused once a part of the payment went back', () => {
    const record = recordIn('under_review');
    const after = changed(record, { trigger: null, returned: part(100n) }, AT);
    assert.deepEqual(approve(after, ACT), 'invalid_state');
    assert.equal(typeof requestReturn(after, RETURN), 'object');
    const ofAnother = changed(record, { trigger: null, returned: part(100n, 'E2') }, AT);
    assert.equal(typeof approve(ofAnother, ACT), 'object');
  });

  it('approve: refused for another amount, and while a return is asked for', () => {
    const different = recordIn('under_review', { reviewReasons: ['PAYER_UNKNOWN', 'AMOUNT_MISMATCH'] });
    assert.deepEqual(approve(different, ACT), 'invalid_state');
    const returning = recordIn('under_review', {}, { returnRequest: { ...REQUEST, actId: 'act-0' } });
    assert.deepEqual(approve(returning, ACT), 'invalid_state');
    const ofItem = recordIn('under_review', {}, { returnRequest: { ...REQUEST, actId: 'ret_1', of: 'E2' } });
    assert.equal(typeof approve(ofItem, ACT), 'object');
    assert.deepEqual(requestReturn(ofItem, RETURN), 'invalid_state');
  });

  it('return: stored as a note with who, why and when, before anybody is asked', () => {
    assert.deepEqual(requestReturn(recordIn('under_review'), RETURN), {
      trigger: null,
      returnRequest: REQUEST,
      act: { person: 'ana', decision: 'return_requested', reason: 'another payer', at: AT, number: 'return-act-1' },
      uses: { id: 'act-1', kind: 'deposit.return', means: 'signature', address: null, others: [] },
    });
    for (const status of DEPOSIT_STATUSES.filter((one) => UNPAID.includes(one)))
      assert.deepEqual(requestReturn(recordIn(status), RETURN), 'invalid_state');
    const returning = recordIn('under_review', {}, { returnRequest: { ...REQUEST, actId: 'act-0' } });
    assert.deepEqual(requestReturn(returning, RETURN), 'invalid_state');
    assert.deepEqual(requestReturn(recordIn('under_review', { endToEndId: null }), RETURN), 'invalid_state');
  });

  it('each return that is asked for has its own number, and so its own id at the provider', () => {
    const first = changed(recordIn('under_review'), { trigger: null, returnRequest: REQUEST }, AT);
    assert.equal(first.returns, 1);
    const over = changed(first, returnRefused(first, REQUEST, 'x'), AT);
    const second = changed(over, { trigger: null, returnRequest: { ...REQUEST, actId: 'act-2' } }, AT);
    assert.deepEqual([over.returns, second.returns], [1, 2]);
    const ids = [0, 1, 2].map((number) => returnReferenceOf('dep_0123456789abcdef0123456789abcdef', number));
    const charge = '0123456789abcdef0123456789abcdef';
    assert.deepEqual(ids, [charge, charge, `${charge}r2`]);
    assert.ok(ids.every((id) => isReturnReference(charge, id) && depositIdOfReturn(id) === `dep_${charge}`));
    assert.ok(!isReturnReference(charge, 'D0123') && !isReturnReference(charge, `${charge}x`));
  });

  it('answer done when they are stored already', () => {
    const kept = (decision: 'approve' | 'return') => ({ decidedBy: [{ ...KEPT, decision }] });
    assert.deepEqual(approve(recordIn('paid', kept('approve')), ACT), 'done');
    assert.deepEqual(requestReturn(recordIn('returned', kept('return')), RETURN), 'done');
    assert.deepEqual(requestReturn(recordIn('under_review', {}, { returnRequest: REQUEST }), RETURN), 'done');
  });

  it('resolve the alert of a return only when the return ends', () => {
    const record = recordIn('under_review', {}, { returnRequest: REQUEST });
    for (const change of [
      returnDone(record, REQUEST, part(5000n)),
      returnRefused(record, REQUEST, 'x'),
      { trigger: 'return' },
    ] as const)
      assert.deepEqual(resolvedBy(record, change), ['RETURN_UNFINISHED']);
    assert.deepEqual(resolvedBy(record, { trigger: null, returned: part(1n) }), []);
    assert.deepEqual(resolvedBy(recordIn('under_review'), { trigger: 'approve' }), []);
  });

  it('a done return names its requester; a refused one is its own alert, and the request ends', () => {
    const record = recordIn('under_review', {}, { returnRequest: REQUEST });
    const done = changed(record, returnDone(record, REQUEST, part(5000n)), AT);
    assert.deepEqual(
      [done.snapshot.status, done.snapshot.decidedBy, done.returnRequest],
      ['returned', [{ ...KEPT, reason: 'another payer', decision: 'return' }], null],
    );
    const refusal = returnRefused(record, REQUEST, 'no_funds');
    assert.deepEqual(refusal.alert, {
      kind: 'RETURN_REFUSED',
      detail: 'dep_1: the provider refused the return (no_funds)',
      occasion: AT,
    });
    const refused = changed(record, refusal, AT);
    assert.deepEqual(
      [refused.snapshot.status, refused.snapshot.version, refused.returnRequest],
      ['under_review', 3, null],
    );
    assert.equal(typeof approve(refused, { ...ACT, actId: 'act-2' }), 'object');
  });
});

describe('a change of a deposit', () => {
  it('moves by the state table: version, revision, reasons and money', () => {
    const after = changed(recordIn('under_review'), { trigger: 'approve' }, AT);
    const { status, version, reviewReasons, updatedAt } = after.snapshot;
    assert.deepEqual([status, version, after.revision, reviewReasons, updatedAt], ['paid', 4, 4, [], AT]);
    assert.deepEqual(movementsOf(after.snapshot, { trigger: 'approve' }), [
      { name: 'deposit_released', amountMinor: 5000n, step: '4', bank: null },
    ]);
    assert.throws(() => changed(recordIn('paid'), { trigger: 'approve' }, AT), /approve is not allowed from paid/);
  });

  it('is a note without a trigger: no version, no event, and what it does not name stays', () => {
    const returnRequest = { ...REQUEST, actId: 'act-0' };
    const record = recordIn('under_review', {}, { returnRequest });
    const after = changed(record, { trigger: null, extraPayment: 'E2' }, AT);
    assert.deepEqual(after, {
      ...record,
      snapshot: { ...record.snapshot, updatedAt: AT },
      revision: 4,
      extraPayments: ['E2'],
    });
    assert.deepEqual(movementsOf(after.snapshot, { trigger: null }), []);
  });
});
