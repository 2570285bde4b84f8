// A report that people may have read is not computed again, however often the activity is repeated.
import assert from 'node:assert/strict';
import { createRuleChangeProof } from '../../../activities/operations/rule-changes.js';

const REPORT = {
  compared: 40,
  not_comparable: { facts_missing: 1, directory_not_asked: 2, facts_of_other_rules: 0 },
  flipped: { decisions: 3, players: 1, players_unknown: 0 },
  to_review: { decisions: 3, amount_minor: '450000' },
  from_review: { decisions: 0, amount_minor: '0' },
  to_two_people: { decisions: 0, amount_minor: '0' },
  from_two_people: { decisions: 0, amount_minor: '0' },
};
const SUMMARY = '3 of 40 decisions flip (1 player) · R$ 4.500,00 to review, R$ 0,00 from review · 3 not comparable';

/**
 * A database that holds one request with its second report, and knows nothing else: whatever else is asked of it fails.
 */
function databaseWith(row: object | null) {
  return { ruleChangeRequest: { findFirst: () => Promise.resolve(row) } } as unknown as Parameters<
    typeof createRuleChangeProof
  >[0];
}
const input = { changeId: 'chg_1', operationId: 'op_1', at: '2026-11-22T12:00:00.000Z' };

describe('the report of a rule change', () => {
  const row = { status: 'pending_approval', proofNumber: 2, proof: { report: REPORT }, proofDigest: 'd2' };

  it('is answered, if there is one', async () => {
    const { proveRuleChange } = createRuleChangeProof(databaseWith(row));
    assert.deepEqual(await proveRuleChange(input), { digest: 'd2', number: 2, summary: SUMMARY });
  });

  it('is computed, if there is none, which begins with the proposed rules: this row has none', async () => {
    const { proveRuleChange } = createRuleChangeProof(databaseWith({ ...row, proof: null, proofDigest: null }));
    await assert.rejects(proveRuleChange(input), { name: 'RuleSetError', field: 'rules' });
  });

  it('a request that was closed without one is an error that no repetition helps', async () => {
    const closed = { ...row, status: 'rejected', proof: null, proofDigest: null };
    const { proveRuleChange } = createRuleChangeProof(databaseWith(closed));
    await assert.rejects(proveRuleChange(input), { type: 'RuleChangeClosed', nonRetryable: true });
  });

  it('a request that does not exist is one, too', async () => {
    const { proveRuleChange } = createRuleChangeProof(databaseWith(null));
    await assert.rejects(proveRuleChange(input), { name: 'MissingRowError', row: 'RuleChange' });
  });
});
