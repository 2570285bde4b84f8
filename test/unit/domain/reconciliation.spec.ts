// The reconciliation day (specification, GET /reconciliation): day D is closed at D+1 02:00 UTC, to the millisecond.
import assert from 'node:assert/strict';
import { dayClosesAt, lastClosedDay, millisecondsUntilClosed } from '../../../domain/reconciliation.js';

describe('the reconciliation day', () => {
  it('closes two hours after its end', () => {
    assert.equal(dayClosesAt('2026-11-21').toISOString(), '2026-11-22T02:00:00.000Z');
    assert.equal(dayClosesAt('2026-12-31').toISOString(), '2027-01-01T02:00:00.000Z');
  });

  for (const [now, day] of [
    ['2026-11-22T01:59:59.999Z', '2026-11-20'],
    ['2026-11-22T02:00:00.000Z', '2026-11-21'],
    ['2026-11-22T23:59:59.999Z', '2026-11-21'],
    ['2026-11-23T00:00:00.000Z', '2026-11-21'],
    ['2027-01-01T02:00:00.000Z', '2026-12-31'],
  ] as const) {
    it(`at ${now} the last closed day is ${day}`, () => assert.equal(lastClosedDay(new Date(now)), day));
  }

  it('says how long a day is still open', () => {
    assert.equal(millisecondsUntilClosed('2026-11-21', new Date('2026-11-22T01:59:59.000Z')), 1_000);
    assert.equal(millisecondsUntilClosed('2026-11-21', new Date('2026-11-22T02:00:00.000Z')), 0);
  });
});
