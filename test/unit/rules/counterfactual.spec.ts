// What would have passed is found by the engine itself: an amount or time just next to it must not pass.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { counterfactual } from '../../../domain/rules/counterfactual.js';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import { reasonSentence } from '../../../domain/rules/reason-sentences.js';
import { DEPOSIT_RULES, PAYMENT_RULES } from '../../../domain/rules/deposit-rules.js';
import { DISPATCH_RULES } from '../../../domain/rules/dispatch-rules.js';
import { WITHDRAWAL_RULES } from '../../../domain/rules/withdrawal-rules.js';
import { AT, engine, risk, thresholds, withdrawalFacts } from './facts.js';

const of = (facts: Parameters<typeof withdrawalFacts>[0], limits: Parameters<typeof thresholds>[0]) =>
  counterfactual('creation', withdrawalFacts(facts), thresholds(limits));

describe('what would have passed', () => {
  it('nothing to say of what was automatic', () =>
    assert.deepEqual(of({}, {}), { automaticUpToMinor: null, automaticFrom: null }));

  for (const [title, facts, limits, expected] of [
    [
      'the automatic ceiling',
      { amountMinor: 25000n },
      { autoMaxPerWithdrawalMinor: 18000n, autoMultiplier: '10' },
      18000n,
    ],
    ['what the deposits leave', { amountMinor: 9500n }, {}, 9000n],
    ['the stricter of two', { amountMinor: 9500n }, { autoMaxPerWithdrawalMinor: 4000n }, 4000n],
    ['the cash box', { amountMinor: 5000n, availableMinor: 4999n }, {}, 4999n],
    [
      'nothing below the minimum',
      { amountMinor: 5000n },
      { withdrawalMinMinor: 4500n, autoMaxPerWithdrawalMinor: 4000n },
      null,
    ],
    ['between the minimum and the ceiling', {}, { withdrawalMinMinor: 4500n, autoMaxPerWithdrawalMinor: 4600n }, 4600n],
    ['nothing is no amount', {}, { withdrawalMinMinor: 0n, autoMaxPerWithdrawalMinor: 0n }, null],
    ['one centavo is the least', {}, { withdrawalMinMinor: 0n, autoMaxPerWithdrawalMinor: 1n }, 1n],
    ['never more than was asked for', {}, { withdrawalMinMinor: 6000n }, null],
    ['no amount where people are asked for', { reviewRequested: true, amountMinor: 9500n }, {}, null],
    [
      'the operation’s cap',
      { risk: risk({ automatic: { hourMinor: 7000n, dayMinor: 0n } }) },
      engine({ operationAutoCap: { perHourMinor: 8000n, perDayMinor: null } }),
      1000n,
    ],
  ] as const) {
    it(`amount: ${title} → ${expected}`, () => assert.equal(of(facts, limits).automaticUpToMinor, expected));
  }

  // The withdrawal is asked for at 2026-11-21T15:00:00.000Z, noon in São Paulo.
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
      'when the cooldown of the key ends',
      { hadOtherKeyBefore: true, keyFirstUsedAt: '2026-11-21T12:05:00.000Z' },
      {},
      '2026-11-22T12:05:00.000Z',
    ],
    ['never for a key that was not used yet', { hadOtherKeyBefore: true, keyFirstUsedAt: null }, {}, null],
    [
      'the next local day',
      { recentWithdrawals: [{ at: AT, amountMinor: 4000n }] },
      { autoMaxPerDayMinor: 8000n },
      '2026-11-22T03:00:00.000Z',
    ],
    [
      'the next local day of the request, where it was decided later',
      {
        createdAt: '2026-11-21T02:58:00.000Z',
        recentWithdrawals: [{ at: '2026-11-21T02:57:00.000Z', amountMinor: 4000n }],
      },
      { autoMaxPerDayMinor: 8000n },
      '2026-11-21T15:02:00.000Z',
    ],
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
    ['never for what the clock does not change', { documentShared: true }, {}, null],
  ] as const) {
    it(`time: ${title}`, () => assert.equal(of(facts, limits).automaticFrom, expected));
  }

  it('is true and the most, for any amounts', () => {
    const amount = fc.integer({ min: 1, max: 400 }).map(BigInt);
    const ceiling = fc.option(amount, { nil: null });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        ceiling,
        ceiling,
        ceiling,
        (
          amountMinor,
          settledDepositsMinor,
          availableMinor,
          autoMaxPerWithdrawalMinor,
          autoMaxPerDayMinor,
          dualApprovalAboveMinor,
        ) => {
          const facts = withdrawalFacts({
            amountMinor,
            settledDepositsMinor,
            availableMinor,
            countedWithdrawalsMinor: 0n,
          });
          const limits = thresholds({ autoMaxPerWithdrawalMinor, autoMaxPerDayMinor, dualApprovalAboveMinor });
          const passes = (minor: bigint) =>
            minor > 0n &&
            evaluateWithdrawal('creation', { ...facts, amountMinor: minor }, limits).outcome.kind === 'automatic';
          const { automaticUpToMinor } = counterfactual('creation', facts, limits);
          if (automaticUpToMinor === null) return assert.ok(passes(amountMinor) || !passes(1n));
          assert.deepEqual([passes(automaticUpToMinor), passes(automaticUpToMinor + 1n)], [true, false]);
        },
      ),
    );
  });
});

it('every reason has a sentence', () => {
  const rules = [...WITHDRAWAL_RULES, ...DEPOSIT_RULES, ...PAYMENT_RULES, ...DISPATCH_RULES];
  for (const { code } of rules) assert.notEqual(reasonSentence(code), code);
});
