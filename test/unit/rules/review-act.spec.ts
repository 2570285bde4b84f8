// Which change of a payment is a person's act: only one that adds a decision.
import assert from 'node:assert/strict';
import { newAct } from '../../../workflows/steps/review-act.js';

const ana = { person: 'ana', decision: 'approve', reason: '', at: '2026-11-21T15:00:00.000Z' } as const;
const ben = { ...ana, person: 'ben' };

describe('the human act of a change', () => {
  it('is the decision that was added, with its place', () => {
    assert.deepEqual(newAct([], [ana]), { ...ana, number: 1 });
    assert.deepEqual(newAct([ana], [ana, ben]), { ...ben, number: 2 });
  });
  it('is none where nobody decided', () => {
    assert.equal(newAct([], []), null);
    assert.equal(newAct([ana], [ana]), null);
    assert.equal(newAct([ana], []), null);
  });
});
