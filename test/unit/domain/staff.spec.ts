// Roles, means and handles, and why an act is not done.
import assert from 'node:assert/strict';
import { APPROVAL_KINDS } from '../../../domain/approvals.js';
import {
  changesPasskeys,
  isHandle,
  isStaffActRefusal,
  isSignedAct,
  MEANS_OF_SIGNED_ACTS,
  meansIn,
  panelMeansIn,
  PAYMENT_ACTS,
  PERMISSIONS,
  rolesFor,
  ROLES,
  staffActRefusal,
  type StaffAct,
} from '../../../domain/staff.js';
import { storedAct } from '../../support/fakes/stored-act.js';

const SUBJECT = { id: 'wdr_1', operationId: 'op_1', version: 3 };
const ACT = storedAct({
  id: 'act_1',
  kind: 'withdrawal.approve',
  operationId: 'op_1',
  subjectId: 'wdr_1',
  subjectVersion: 3,
  handle: 'ana',
});

describe('staff', () => {
  it('an auditor does nothing, support only cancels, an admin decides on no payment', () => {
    for (const [act, roles] of Object.entries(PERMISSIONS) as [string, readonly string[]][]) {
      assert.ok(!roles.includes('auditor'), act);
      assert.ok(roles.length > 0 && roles.every((role) => (ROLES as readonly string[]).includes(role)), act);
    }
    for (const kind of PAYMENT_ACTS) {
      const releases = kind.endsWith('.cancel');
      assert.ok(!rolesFor(kind).includes('admin'), kind);
      assert.ok(!rolesFor(kind).includes('support') || releases, kind);
      assert.ok(!rolesFor(kind).includes('risk_manager') || releases || kind === 'withdrawal.refuse', kind);
    }
  });

  it('production knows people by their session only', () => {
    assert.deepEqual(meansIn('production'), ['command_line', 'break_glass', 'passkey', 'oidc', 'signature']);
    assert.deepEqual(meansIn('sandbox'), [
      'claim',
      'simulated',
      'link',
      'command_line',
      'break_glass',
      'passkey',
      'oidc',
      'signature',
    ]);
    assert.deepEqual(panelMeansIn('production', false), ['passkey']);
    assert.deepEqual(panelMeansIn('sandbox', false), ['link', 'passkey']);
    assert.deepEqual(panelMeansIn('production', true), ['passkey', 'oidc']);
    assert.deepEqual((['link', 'passkey', 'oidc'] as const).map(changesPasskeys), [true, true, false]);
    const byGlass = ['deposit.approve', 'deposit.return', 'withdrawal.approve', 'withdrawal.write_off'];
    for (const [kind, means] of Object.entries(MEANS_OF_SIGNED_ACTS))
      assert.deepEqual(means, byGlass.includes(kind) ? ['signature', 'break_glass'] : ['signature'], kind);
    assert.equal(Object.keys(MEANS_OF_SIGNED_ACTS).length, 7);
  });

  it('sign acts that move money out, open an access or change rules; not acts that stop something', () => {
    for (const kind of ['deposit.approve', 'deposit.return', 'withdrawal.approve', 'withdrawal.write_off'] as const)
      assert.ok(isSignedAct(kind), kind);
    for (const { approves, rejects } of Object.values(APPROVAL_KINDS)) {
      assert.ok(isSignedAct(approves) || approves === 'destruction.approve', approves);
      assert.ok(!isSignedAct(rejects), rejects);
    }
    for (const kind of ['withdrawal.refuse', 'operation.suspend', 'key.revoke', 'rule_change.reject'] as const)
      assert.ok(!isSignedAct(kind), kind);
  });

  it('handles are plain', () => {
    for (const handle of ['ana', 'ana.souza', 'a1', 'b_c-d', 'a'.repeat(32)]) assert.equal(isHandle(handle), true);
    for (const text of ['a', 'Ana', 'ána', '1a', '.a', 'a b', 'a@b', 'a'.repeat(33), 'аb'])
      assert.equal(isHandle(text), false, text);
  });

  it('an act is done to what it was stored for, once, in time, by somebody who may', () => {
    const refusalOf = (change: Partial<StaffAct>) =>
      staffActRefusal({ ...ACT, ...change }, 'withdrawal.approve', SUBJECT);
    assert.equal(refusalOf({}), null);
    assert.equal(staffActRefusal(null, 'withdrawal.approve', SUBJECT), 'unknown_act');
    assert.equal(refusalOf({ kind: 'withdrawal.refuse' }), 'other_subject');
    assert.equal(refusalOf({ subjectId: 'wdr_2' }), 'other_subject');
    assert.equal(refusalOf({ operationId: 'op_2' }), 'other_subject');
    assert.equal(refusalOf({ isUsed: true }), 'used_act');
    assert.equal(refusalOf({ isExpired: true }), 'expired_act');
    assert.equal(refusalOf({ isPermitted: false }), 'not_permitted');
    assert.equal(refusalOf({ isMeansEnough: false }), 'not_permitted');
    assert.equal(refusalOf({ means: 'break_glass' }), null);
    const asSecond = (change: Partial<StaffAct>) =>
      staffActRefusal({ ...ACT, ...change }, 'withdrawal.approve', SUBJECT, ['eva']);
    assert.deepEqual([asSecond({}), asSecond({ means: 'break_glass' })], [null, 'never_second']);
    assert.deepEqual([asSecond({ closeTo: ['ben'] }), asSecond({ closeTo: ['eva'] })], [null, 'too_close']);
    for (const subjectVersion of [2, 4]) assert.equal(refusalOf({ subjectVersion }), 'subject_changed');
    assert.deepEqual(['used_act', 'invalid_state', 'toString'].map(isStaffActRefusal), [true, false, false]);
  });
});
