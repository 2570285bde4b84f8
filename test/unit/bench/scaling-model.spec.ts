// The capacity model's arithmetic, by hand-made counters.
import assert from 'node:assert/strict';
import { capacities, demandAt, ofPayment } from '../../../lab/bench/scaling/model.js';

/** A deposit costs 10 of everything, a withdrawal 20: a payment 12. */
const NAMES = [
  'processorMs.api',
  'processorMs.worker',
  'processorMs.Temporal',
  'processorMs.PostgreSQL for Temporal',
  'processorMs.PostgreSQL',
  'persistenceRequests',
  'stateTransitions',
  'commits',
  'walBytes',
  'gatewayBytes',
  'temporalBytes',
];
const COUNTERS = {
  ...Object.fromEntries(
    NAMES.flatMap((name) => [
      [`deposit.${name}`, 10],
      [`withdrawal.${name}`, 20],
    ]),
  ),
  // Two milliseconds each.
  'deposit.persistenceSteps': 10,
  'deposit.persistenceStepSeconds': 0.02,
  'withdrawal.persistenceSteps': 20,
  'withdrawal.persistenceStepSeconds': 0.04,
};

describe('the capacity model', () => {
  it('weighs deposits and withdrawals by their share', () => assert.equal(ofPayment(COUNTERS, 'commits'), 12));

  it('100 per second: processors at 60 %, counters in proportion, bytes by day', () => {
    const demand = demandAt(100, COUNTERS);
    // 100 × 12 ms = 1.2 s of processor time per second.
    assert.ok(Math.abs(demand.processors.api - 2) < 1e-9);
    assert.equal(demand.persistencePerSecond, 1_200);
    assert.equal(demand.gatewayBytesPerDay, 100 * 12 * 86_400);
    assert.equal(demand.temporalBytesKept, 100 * 12 * 86_400 * 3);
    assert.equal(demand.cells, 1);
    assert.equal(demand.partition, 'a month');
  });

  it('history shards: what is written, one after the other, at a fifth of their time; a power of two', () => {
    // 1,200 writes/s × 2 ms ÷ 0.2 = 12 shards.
    assert.equal(demandAt(100, COUNTERS).historyShards, 16);
    assert.equal(demandAt(1, COUNTERS).historyShards, 4);
  });

  it(
    '10,000 per second: as many cells as the larger database needs of 32 processors, partitions by what a cell ' +
      'holds',
    () => {
      const demand = demandAt(10_000, COUNTERS);
      // 120 s of processor time per second, at 60 %: 200 processors.
      assert.equal(demand.cells, 7);
      const heavy = demandAt(10_000, { ...COUNTERS, 'deposit.gatewayBytes': 3_000, 'withdrawal.gatewayBytes': 3_000 });
      // 2.6 TB a day over seven cells: 370 GB.
      assert.equal(heavy.partition, 'six hours');
    },
  );

  it('the weakest is named first, and the counter row by the changes of a payment', () => {
    const all = capacities(COUNTERS, { writesOfAnOperation: 40, transitionsOfAnOperation: 440 });
    assert.deepEqual(
      all.map(({ perSecond }) => perSecond),
      [...all.map(({ perSecond }) => perSecond)].sort((a, b) => a - b),
    );
    assert.equal(all[0]?.what, 'one operation: the contract’s limit of its POSTs');
    const row = all.find(({ what }) => what.includes('counter row'));
    // Three of each.
    assert.ok(Math.abs((row?.perSecond ?? 0) - 440 / 3) < 1e-9);
  });
});
