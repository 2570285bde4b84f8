// The targets that a transition hands to the first delivery of its event.
import assert from 'node:assert/strict';
import { FreshDeliveries } from '../../../store/events/fresh-deliveries.js';

const DELIVERY = { target: { url: null, secrets: [] }, body: new Uint8Array([1]), createdAt: new Date(0) };

describe('fresh deliveries', () => {
  let nowMs = 0;
  const fresh = new FreshDeliveries(() => nowMs);

  it('are taken once: a later attempt reads', () => {
    fresh.put('evt_1', DELIVERY);
    assert.equal(fresh.take('evt_1'), DELIVERY);
    assert.equal(fresh.take('evt_1'), null);
  });

  it('are fresh for five seconds: address and secrets may change', () => {
    fresh.put('evt_1', DELIVERY);
    fresh.put('evt_2', DELIVERY);
    nowMs += 5_000;
    assert.equal(fresh.take('evt_1'), DELIVERY);
    nowMs += 1;
    assert.equal(fresh.take('evt_2'), null);
  });

  it('are bounded: the oldest one goes first', () => {
    for (let number = 0; number <= 1_000; number += 1) fresh.put(`evt_${number}`, DELIVERY);
    assert.equal(fresh.take('evt_0'), null);
    assert.equal(fresh.take('evt_1'), DELIVERY);
  });
});
