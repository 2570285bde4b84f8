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

  const VELOCITY = engine({ velocity: { windowMinutes: 10, reviewAbove: 2, refuseAbove: null } });
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
      'when the oldest request leaves the window',
      { risk: risk({ requestedAt: ['2026-11-21T14:58:00.000Z', '2026-11-21T14:55:00.000Z'] }) },
      VELOCITY,
      '2026-11-21T15:05:00.000Z',
    ],
    [
      'the next automatic hours',
      {},
      { autoHours: { from: '08:00', to: '12:00' }, ...engine({ autoHoursPolicy: 'review' }) },
      '2026-11-22T11:00:00.000Z',
    ],
    [
      'the next clock hour',
      { risk: risk({ automatic: { hourMinor: 7000n, dayMinor: 7000n } }) },
      engine({ operationAutoCap: { perHourMinor: 8000n, perDayMinor: null } }),
      '2026-11-21T16:00:00.000Z',
    ],
    [
      'when an old withdrawal leaves the 7 days',
      {
        risk: risk({
          withdrawals: [{ at: '2026-11-15T10:00:00.000Z', amountMinor: 4000n }],
          windows: { d7: { amountMinor: 4000n, count: 1 }, d30: { amountMinor: 4000n, count: 1 } },
        }),
      },
      engine({ windows: { day: NONE(), d7: { ...NONE(), reviewMinor: 8000n }, d30: NONE() } }),
      '2026-11-22T10:00:00.000Z',
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

function NONE() {
  return { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
}

describe('reasons in words', () => {
  for (const { code } of [...WITHDRAWAL_RULES, ...DEPOSIT_RULES, ...PAYMENT_RULES, ...DISPATCH_RULES]) {
    it(`${code} has a sentence`, () => assert.notEqual(reasonSentence(code), code));
  }
});
