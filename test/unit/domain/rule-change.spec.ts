// A proposed rule change (specification, POST /rules/change-requests): in force only after two people approve what they
// have read.
import assert from 'node:assert/strict';
import {
  approvalsMissing,
  countedApprovals,
  hasApproved,
  RULE_CHANGE_APPROVALS,
  RULE_CHANGE_STATUSES,
  type RuleChangeDecision,
  ruleChangeExpiresAt,
} from '../../../domain/rule-change.js';

const PROOF = { digest: 'd2', number: 2, summary: 'nothing changes' };
const act = (person: string, digest: string | null, decision: RuleChangeDecision['decision'] = 'approve') => ({
  actId: `act_${person}_${String(digest)}`,
  means: 'claim' as const,
  address: null,
  person,
  decision,
  reason: 'read',
  digest,
  at: '2026-11-22T12:00:00.000Z',
});

describe('rule change', () => {
  it('has these states', () =>
    assert.deepEqual(RULE_CHANGE_STATUSES, ['pending_approval', 'approved', 'rejected', 'superseded', 'expired']));

  it('needs two approvals', () => assert.equal(RULE_CHANGE_APPROVALS, 2));

  it('expires after thirty days', () =>
    assert.equal(ruleChangeExpiresAt({ createdAt: '2026-11-22T12:00:00.000Z' }), '2026-12-22T12:00:00.000Z'));

  const CASES: readonly (readonly [string, readonly RuleChangeDecision[], readonly string[], number])[] = [
    ['no decision', [], [], 2],
    ['one approval', [act('ana', 'd2')], ['ana'], 1],
    ['two approvals', [act('ana', 'd2'), act('ben', 'd2')], ['ana', 'ben'], 0],
    ['three approvals', [act('ana', 'd2'), act('ben', 'd2'), act('eva', 'd2')], ['ana', 'ben', 'eva'], 0],
    ['an approval of the earlier report', [act('ana', 'd1'), act('ben', 'd2')], ['ben'], 1],
    ['a rejection of the same report', [act('ana', 'd2', 'reject'), act('ben', 'd2')], ['ben'], 1],
    ['an approval of no report', [act('ana', null), act('ben', 'd2')], ['ben'], 1],
  ];
  for (const [title, decisions, people, missing] of CASES) {
    it(`${title}: ${people.length} count, ${missing} are missing`, () => {
      const change = { decisions, proof: PROOF };
      assert.deepEqual(
        countedApprovals(change).map(({ person }) => person),
        people,
      );
      assert.equal(approvalsMissing(change), missing);
    });
  }

  it('without a report no approval counts', () => {
    const change = { decisions: [act('ana', null), act('ben', 'd2')], proof: null };
    assert.deepEqual(countedApprovals(change), []);
    assert.equal(approvalsMissing(change), 2);
    assert.equal(hasApproved(change, 'ana'), false);
  });

  it('knows who has approved, in any spelling of the name', () => {
    const change = { decisions: [act('ben', 'd2'), act('ana', 'd2'), act('eva', 'd1')], proof: PROOF };
    assert.equal(hasApproved(change, 'ana'), true);
    assert.equal(hasApproved(change, 'Ána'), true);
    assert.equal(hasApproved(change, 'eva'), false);
    assert.equal(hasApproved(change, 'dan'), false);
  });
});
