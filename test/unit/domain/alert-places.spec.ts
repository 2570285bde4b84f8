// From each alert to the place of its act: every kind has one or says that there is none.
import assert from 'node:assert/strict';
import { ALERT_PLACES, PLACE_OF_ALERT, placeOf } from '../../../domain/alert-places.js';
import { ALERTS, type AlertKind } from '../../../domain/alerts.js';

const KINDS = Object.keys(ALERTS) as AlertKind[];
const deposit = { objectId: 'dep_1', operationId: 'op_1', waitsIn: null };

describe('the place of an alert’s act', () => {
  it('every kind names one of the places, or none', () => {
    assert.deepEqual(Object.keys(PLACE_OF_ALERT).sort(), [...KINDS].sort());
    const places = KINDS.map((kind) => placeOf({ ...deposit, kind }));
    for (const place of places) assert.ok(place === null || ALERT_PLACES.includes(place));
    const reached = new Set([...places, placeOf({ ...deposit, kind: 'RETURN_REFUSED', waitsIn: 'review' })]);
    assert.deepEqual(
      [...ALERT_PLACES].filter((place) => !reached.has(place)),
      [],
      'no place is for nothing',
    );
  });

  it('an alert whose text names an act of the panel has a place', () => {
    for (const [kind, { safeAction }] of Object.entries(ALERTS))
      if (
        /gateway (suspense return|cash credit-suspense|review conclude|event redeliver|webhook-secret|staff)/.test(
          safeAction,
        )
      )
        assert.notEqual(placeOf({ ...deposit, kind }), null, kind);
  });

  it('a refused return leads to where its payment waits', () => {
    const refused = { ...deposit, kind: 'RETURN_REFUSED' };
    assert.equal(placeOf({ ...refused, waitsIn: 'review' }), 'case');
    assert.equal(placeOf({ ...refused, waitsIn: 'suspense' }), 'suspense');
    assert.equal(placeOf(refused), 'payment');
  });

  it('leads nowhere without what it would lead to', () => {
    assert.equal(placeOf({ ...deposit, kind: 'RECEIPT_UNSETTLED', objectId: 'a:E1' }), null);
    assert.equal(placeOf({ ...deposit, kind: 'LATE_PAYMENT', operationId: null }), null);
    assert.equal(placeOf({ ...deposit, kind: 'OF_ANOTHER_BUILD' }), null);
  });
});
