// A send that nobody answered: when people may conclude that it was never accepted, and whose word counts for what.
import assert from 'node:assert/strict';
import { type WriteOffAct, writeOffStep, lapseOf, WRITE_OFF_FAILURES } from '../../../domain/payments/write-off.js';

const SINCE = '2026-11-20T12:00:00.000Z';
const DAY_LATER = '2026-11-21T12:00:00.000Z';
const WORD = { person: 'ben', evidence: 'ticket 4711' };

const request: WriteOffAct = {
  person: 'ana',
  evidence: 'ticket 4711',
  decision: 'request_conclusion',
  reason: 'never arrived',
  at: '2026-11-21T13:00:00.000Z',
  status: 'approved',
};
const step = (
  {
    lookUps = 10 as number | null,
    since = SINCE as string | null,
    at = DAY_LATER,
    pending = null as WriteOffAct | null,
  },
  word = WORD,
) => writeOffStep(word, { grounds: { lookUps, since }, pending, at });

describe('a lost payout', () => {
  it('ends with a failure code that says what the provider stated', () =>
    assert.deepEqual(WRITE_OFF_FAILURES, { approved: 'psp_never_accepted', processing: 'psp_never_paid' }));

  it('one that is processing has a trace: only the day since its send counts', () => {
    assert.deepEqual(step({ lookUps: null }), { kind: 'request' });
    const early = step({ lookUps: null, at: '2026-11-21T11:59:59.999Z' });
    assert.deepEqual(early, { kind: 'too_early', lookUps: null, notBefore: DAY_LATER });
  });

  it('ten look-ups without a trace over 24 hours: somebody may ask', () =>
    assert.deepEqual(step({}), { kind: 'request' }));

  it('nine look-ups are too few', () =>
    assert.deepEqual(step({ lookUps: 9 }), { kind: 'too_early', lookUps: 9, notBefore: DAY_LATER }));

  it('a millisecond before the day is over is too early', () =>
    assert.deepEqual(step({ at: '2026-11-21T11:59:59.999Z' }), {
      kind: 'too_early',
      lookUps: 10,
      notBefore: DAY_LATER,
    }));

  it('before the first look-up nobody knows from when on', () =>
    assert.deepEqual(step({ lookUps: 10, since: null }), { kind: 'too_early', lookUps: 10, notBefore: null }));

  it('a request lapses after 24 hours', () => {
    assert.equal(lapseOf(request), '2026-11-22T13:00:00.000Z');
    assert.deepEqual(step({ pending: request, at: '2026-11-22T12:59:59.999Z' }), { kind: 'confirm' });
    assert.deepEqual(step({ pending: request, at: '2026-11-22T13:00:00.000Z' }), { kind: 'request' });
  });

  const AT = '2026-11-21T14:00:00.000Z';
  for (const [title, word, expected] of [
    ['another person, the same evidence', WORD, { kind: 'confirm' }],
    ['the same person', { ...WORD, person: 'Ána' }, { kind: 'same_person', requestedBy: 'ana' }],
    ['another person, other evidence', { ...WORD, evidence: 'ticket 9' }, { kind: 'other_evidence' }],
    ['the same person, other evidence', { person: 'ana', evidence: 'ticket 9' }, { kind: 'request' }],
  ] as const) {
    it(`${title}: ${expected.kind}`, () => assert.deepEqual(step({ pending: request, at: AT }, word), expected));
  }
});
