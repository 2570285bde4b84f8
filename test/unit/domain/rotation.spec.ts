// Ages of secrets (specification, "Secret rotation"): call keys alert at 75 days and must be rotated within 90, webhook
// secrets within 90.
import assert from 'node:assert/strict';
import {
  ageInDays,
  KEY_DUE_AFTER_DAYS,
  KEY_OVERDUE_AFTER_DAYS,
  keyRotationOf,
  WEBHOOK_SECRET_OVERDUE_AFTER_DAYS,
} from '../../../domain/rotation.js';

const CREATED = new Date('2026-01-01T12:00:00.000Z');

describe('rotation', () => {
  it('days of the specification', () =>
    assert.deepEqual([KEY_DUE_AFTER_DAYS, KEY_OVERDUE_AFTER_DAYS, WEBHOOK_SECRET_OVERDUE_AFTER_DAYS], [75, 90, 90]));

  for (const [now, days] of [
    ['2026-01-01T12:00:00.000Z', 0],
    ['2026-01-02T11:59:59.999Z', 0],
    ['2026-01-02T12:00:00.000Z', 1],
    ['2026-03-17T12:00:00.000Z', 75],
  ] as const) {
    it(`${now}: ${days} full days`, () => assert.equal(ageInDays(CREATED, new Date(now)), days));
  }

  for (const [now, rotation] of [
    ['2026-01-01T12:00:00.000Z', 'fresh'],
    ['2026-03-17T11:59:59.999Z', 'fresh'],
    ['2026-03-17T12:00:00.000Z', 'due'],
    ['2026-04-01T11:59:59.999Z', 'due'],
    ['2026-04-01T12:00:00.000Z', 'overdue'],
    ['2027-01-01T12:00:00.000Z', 'overdue'],
  ] as const) {
    it(`a key of 1 January is ${rotation} at ${now}`, () =>
      assert.equal(
        keyRotationOf({ createdAt: CREATED, expiresAt: null, revokedAt: null }, new Date(now), null),
        rotation,
      ));
  }

  it('a key with an end is ending, however old it is, until it has ended', () => {
    const key = { createdAt: CREATED, expiresAt: new Date('2026-04-08T12:00:00.000Z'), revokedAt: null };
    for (const now of ['2026-01-01T12:00:00.000Z', '2026-03-20T12:00:00.000Z', '2026-04-05T12:00:00.000Z'])
      assert.equal(keyRotationOf(key, new Date(now), null), 'ending');
    assert.equal(keyRotationOf(key, new Date('2026-04-08T12:00:00.000Z'), null), 'ended');
    const sooner = { revision: 1, offsetMs: 7 * 86_400_000, frozenAt: null };
    assert.equal(keyRotationOf(key, new Date('2026-04-02T12:00:00.000Z'), sooner), 'ended', 'by its operation’s clock');
    assert.equal(keyRotationOf({ ...key, revokedAt: CREATED }, CREATED, null), 'ended');
  });
});
