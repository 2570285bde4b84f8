// What would have passed, at its bounds: the least amount, hours and days that have not changed yet, histories that are
// not whole.
import assert from 'node:assert/strict';
import { counterfactual } from '../../../domain/rules/counterfactual.js';
import { engine, risk, thresholds, withdrawalFacts } from './facts.js';

// The withdrawal is asked for at 2026-11-21T15:00:00.000Z, noon in São Paulo.
const of = (facts: Parameters<typeof withdrawalFacts>[0], limits: Parameters<typeof thresholds>[0]) =>
  counterfactual('creation', withdrawalFacts(facts), thresholds(limits));

describe('the amount that would have passed', () => {
  for (const [title, facts, limits, expected] of [
    ['between the minimum and the ceiling', {}, { withdrawalMinMinor: 4500n, autoMaxPerWithdrawalMinor: 4600n }, 4600n],
    ['nothing is no amount', {}, { withdrawalMinMinor: 0n, autoMaxPerWithdrawalMinor: 0n }, null],
    ['one centavo is the least', {}, { withdrawalMinMinor: 0n, autoMaxPerWithdrawalMinor: 1n }, 1n],
    ['never more than was asked for', {}, { withdrawalMinMinor: 6000n }, null],
  ] as const) {
    it(`${title} → ${expected}`, () => assert.equal(of(facts, limits).automaticUpToMinor, expected));
  }
});

describe('the time that would have passed', () => {
  const COOLING = { hadOtherKeyBefore: true, keyFirstUsedAt: '2026-11-21T03:30:00.000Z' };
  const COOLED = '2026-11-22T03:30:00.000Z';
  const VELOCITY = { velocity: { windowMinutes: 10, reviewAbove: 1, refuseAbove: null } };
  const HOURLY = { operationAutoCap: { perHourMinor: 8000n, perDayMinor: null } };
  const DAILY = { operationAutoCap: { perHourMinor: null, perDayMinor: 8000n } };
  const TURNAROUND = { withinMinutes: 60, similarityPercent: 5, minCount: 1, windowDays: 30 };
  const DEPOSITS = [{ at: '2026-11-21T14:30:00.000Z', amountMinor: 5000n }];
  const NIGHT = { from: '08:00', to: '20:00' };
  const WINDOW = { reviewMinor: 9000n, reviewCount: null, maxMinor: null, maxCount: null };
  const OFF = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
  const weekly = { windows: { day: OFF, d7: WINDOW, d30: OFF } };
  const listed = [{ at: '2026-11-15T10:00:00.000Z', amountMinor: 6000n }];

  for (const [title, facts, limits, expected] of [
    [
      'with a history that no rule looks at',
      { ...COOLING, risk: risk({ requestedAt: ['2026-11-21T14:59:00.000Z'], deposits: DEPOSITS }) },
      {},
      COOLED,
    ],
    [
      'at night, where people need not look outside hours',
      COOLING,
      { autoHours: NIGHT, ...engine({ autoHoursPolicy: 'wait' }) },
      COOLED,
    ],
    [
      'at the next opening, where they must',
      COOLING,
      { autoHours: NIGHT, ...engine({ autoHoursPolicy: 'review' }) },
      '2026-11-22T11:00:00.000Z',
    ],
    ['at any hour, where none are set', COOLING, engine({ autoHoursPolicy: 'review' }), COOLED],
    [
      'not before the hour of a cap is over',
      { risk: risk({ requestedAt: ['2026-11-21T14:55:00.000Z'], automatic: { hourMinor: 7000n, dayMinor: 0n } }) },
      engine({ ...VELOCITY, ...HOURLY }),
      '2026-11-21T16:00:00.000Z',
    ],
    [
      'not before the local day of a cap is over',
      { risk: risk({ automatic: { hourMinor: 0n, dayMinor: 7000n } }) },
      engine(DAILY),
      '2026-11-22T03:00:00.000Z',
    ],
    [
      'when the withdrawals of the last minutes are old enough',
      { risk: risk({ requestedAt: ['2026-11-21T14:55:00.000Z'] }) },
      engine(VELOCITY),
      '2026-11-21T15:05:00.000Z',
    ],
    [
      'a millisecond after a deposit is no longer near',
      { risk: risk({ deposits: DEPOSITS }) },
      engine({ rapidTurnaround: TURNAROUND }),
      '2026-11-21T15:30:00.001Z',
    ],
    [
      'when a withdrawal just under the threshold is no longer counted',
      { risk: risk({ withdrawals: [{ at: '2026-11-19T10:00:00.000Z', amountMinor: 5000n }] }) },
      engine({ structuring: { thresholdMinor: 5100n, marginPercent: 10, minCount: 2, windowDays: 3 } }),
      '2026-11-22T10:00:00.000Z',
    ],
    [
      'when a listed withdrawal leaves its window',
      {
        risk: risk({
          withdrawals: listed,
          windows: { d7: { amountMinor: 6000n, count: 1 }, d30: { amountMinor: 6000n, count: 1 } },
        }),
      },
      engine(weekly),
      '2026-11-22T10:00:00.000Z',
    ],
    [
      'never said of a window whose withdrawals are not all listed',
      {
        risk: risk({
          withdrawals: listed,
          windows: { d7: { amountMinor: 9000n, count: 3 }, d30: { amountMinor: 9000n, count: 3 } },
        }),
      },
      engine(weekly),
      null,
    ],
  ] as const) {
    it(`${title} → ${expected}`, () => assert.equal(of(facts, limits).automaticFrom, expected));
  }
});
