// The report of a proposed change of rules: every number against decisions made by hand, and what is never guessed.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NO_ENGINE_RULES, type EngineRules } from '../../../domain/rules/engine-rules.js';
import { type DecidedCase, redecide, type Rules, whyFlipped } from '../../../domain/rules/proof/redecide.js';
import {
  EXAMPLES_PER_FLIP,
  ReportBuilder,
  reportInOneLine,
  type RuleChangeReport,
} from '../../../domain/rules/proof/report.js';
import { reevaluate } from '../../../domain/rules/engine.js';
import type { RuleReport } from '../../../domain/rules/rule.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { AT, depositFacts, dispatchFacts, engine, paymentFacts, risk, thresholds, withdrawalFacts } from './facts.js';

const rules = (changes: Partial<Thresholds> = {}, engineRules: EngineRules = NO_ENGINE_RULES): Rules => ({
  thresholds: thresholds(changes),
  engine: engineRules,
});
/** Plenty deposited, so that only what a test changes decides. */
const rich = (changes: Partial<WithdrawalFacts> = {}) =>
  withdrawalFacts({ settledDepositsMinor: 100000000n, ...changes });

const stored = (
  objectId: string,
  stage: DecidedCase['stage'] | 'dict',
  facts: object,
  then: Partial<Thresholds> = {},
) => ({
  facts,
  outcome: reevaluate({ objectId, stage, facts }, thresholds(then)).outcome,
  timezone: thresholds(then).timezone,
});

/** A question as it was answered under the default thresholds. */
function decided(
  objectId: string,
  stage: DecidedCase['stage'],
  facts: object,
  more: Partial<DecidedCase> = {},
): DecidedCase {
  return {
    objectId,
    stage,
    decidedAt: AT,
    playerRef: 'player-1',
    amountMinor: 5000n,
    decision: stored(objectId, stage, facts),
    later: null,
    ...more,
  };
}

const withdrawal = (id: string, amountMinor: bigint, playerRef: string | null, facts: Partial<WithdrawalFacts> = {}) =>
  decided(`wdr_${id}`, 'creation', rich({ amountMinor, ...facts }), { amountMinor, playerRef });

function report(cases: readonly DecidedCase[], proposed: Rules, inForce = rules()): RuleChangeReport {
  const builder = new ReportBuilder(inForce, proposed);
  for (const asked of cases) builder.add(asked);
  return builder.report({ currency: 'BRL', from: '2026-10-22T15:00:00.000Z', through: AT, isCutOff: false });
}

const countsOf = ({ outcomes }: RuleChangeReport) =>
  Object.fromEntries(
    outcomes
      .filter(({ in_force: before, proposed }) => before + proposed > 0)
      .map((one) => [
        `${one.subject} ${one.outcome}`,
        [one.in_force, one.proposed, one.in_force_minor, one.proposed_minor],
      ]),
  );
const flipsOf = ({ flips }: RuleChangeReport) =>
  flips.map(({ subject, from, to, decisions, players, amount_minor: amount }) => [
    subject,
    from,
    to,
    decisions,
    players,
    amount,
  ]);

describe('the report of a rule change', () => {
  const cases = [
    withdrawal('a', 1000n, 'player-1'),
    withdrawal('b', 20000n, 'player-1'),
    withdrawal('c', 30000n, 'player-2'),
    withdrawal('d', 40000n, null),
    withdrawal('e', 50000n, 'player-3', { reviewRequested: true }),
    withdrawal('f', 60000n, 'player-3', { playerBlocked: true }),
    decided('dep_a', 'creation', depositFacts({ amountMinor: 700n }), { amountMinor: 700n, playerRef: 'player-4' }),
    decided('dep_b', 'payment', paymentFacts({ payer: 'mismatch' }), { amountMinor: 5000n, playerRef: 'player-2' }),
    decided('wdr_a', 'dispatch', dispatchFacts(), { amountMinor: 1000n, playerRef: 'player-1' }),
  ];
  let stricter: RuleChangeReport;
  // Not when the file is loaded: `npm run mutants` sees what runs in tests and their hooks.
  beforeEach(() => {
    stricter = report(
      cases,
      rules({
        autoMaxPerWithdrawalMinor: 20000n,
        depositMinMinor: 1000n,
        requirePayerMatchesPlayer: false,
        withdrawalMaxMinor: 39999n,
        autoHours: { from: '00:00', to: '01:00' },
      }),
    );
  });

  it('counts every answer before and after, with its money', () => {
    assert.deepEqual(countsOf(stricter), {
      'withdrawal automatic': [4, 2, '91000', '21000'],
      'withdrawal review': [1, 1, '50000', '30000'],
      'withdrawal refuse': [1, 3, '60000', '150000'],
      'deposit accept': [1, 0, '700', '0'],
      'deposit refuse': [0, 1, '0', '700'],
      'payment credit': [0, 1, '0', '5000'],
      'payment review': [1, 0, '5000', '0'],
      'dispatch send': [1, 0, '1000', '0'],
      'dispatch wait': [0, 1, '0', '1000'],
    });
    assert.deepEqual([stricter.compared, stricter.decided_under_other_rules], [9, 0]);
  });

  it('counts who would need a second person and who no more, also where no outcome changes', () => {
    const two = (above: bigint | null) => rules({ dualApprovalAboveMinor: above, withdrawalMaxMinor: 70000n });
    const asked = [
      withdrawal('low', 10000n, 'player-1', { reviewRequested: true }),
      withdrawal('between', 30000n, 'player-1', { reviewRequested: true }),
      withdrawal('above', 60000n, 'player-2'),
      withdrawal('refused', 80000n, 'player-2'),
    ];
    const counts = ({ flipped, to_two_people: to, from_two_people: from }: RuleChangeReport) => [
      flipped.decisions,
      to,
      from,
    ];
    const none = { decisions: 0, amount_minor: '0' };
    const one = { decisions: 1, amount_minor: '30000' };
    assert.deepEqual(counts(report(asked, two(20000n), two(40000n))), [0, one, none]);
    assert.deepEqual(counts(report(asked, two(40000n), two(20000n))), [0, none, one]);
    assert.deepEqual(counts(report(asked, two(null), two(40000n))), [1, none, { decisions: 1, amount_minor: '60000' }]);
  });

  it('names what flips by kind, with its players and its money', () => {
    assert.deepEqual(flipsOf(stricter), [
      ['deposit', 'accept', 'refuse', 1, 1, '700'],
      ['dispatch', 'send', 'wait', 1, 1, '1000'],
      ['payment', 'review', 'credit', 1, 1, '5000'],
      ['withdrawal', 'automatic', 'refuse', 1, 0, '40000'],
      ['withdrawal', 'automatic', 'review', 1, 1, '30000'],
      ['withdrawal', 'review', 'refuse', 1, 1, '50000'],
    ]);
    assert.deepEqual(stricter.flipped, { decisions: 6, players: 4, players_unknown: 1 });
    assert.deepEqual(
      [stricter.to_review, stricter.from_review],
      [
        { decisions: 1, amount_minor: '30000' },
        { decisions: 2, amount_minor: '55000' },
      ],
    );
    assert.equal(
      reportInOneLine(stricter),
      '6 of 9 decisions flip (4+ players) · R$ 300,00 to review, R$ 550,00 from review · 0 not comparable',
    );
  });

  it('lists each reason that is given more or less often', () => {
    assert.deepEqual(
      stricter.reasons.map(({ subject, code, in_force: before, proposed }) => [subject, code, before, proposed]),
      [
        ['deposit', 'AMOUNT_BELOW_MINIMUM', 0, 1],
        ['payment', 'PAYER_MISMATCH', 1, 0],
        ['withdrawal', 'AMOUNT_ABOVE_MAXIMUM', 0, 3],
        ['withdrawal', 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED', 0, 1],
        ['withdrawal', 'OPERATOR_REVIEW_REQUESTED', 1, 0],
      ],
    );
  });

  it('says why by examples: what hits now and what no longer does, ids and numbers only', () => {
    const flip = stricter.flips.find(({ from, to }) => from === 'automatic' && to === 'review');
    assert.deepEqual(flip?.examples, [
      {
        object_id: 'wdr_c',
        decided_at: AT,
        amount_minor: '30000',
        why: [
          {
            code: 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
            proposed: 'hits',
            compared: { amountMinor: '30000', limitMinor: '20000' },
          },
        ],
      },
    ]);
    const looser = report([withdrawal('e', 50000n, 'player-3')], rules(), rules({ autoMaxPerWithdrawalMinor: 49999n }));
    assert.deepEqual(looser.flips[0]?.examples[0]?.why, [
      { code: 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED', proposed: 'passes', compared: {} },
    ]);
    assert.equal(JSON.stringify(stricter).includes('player-'), false);
  });

  it('keeps five examples of each flip, those with the highest amounts, in whatever order they are read', () => {
    const amounts = ['50000', '40000', '30000', '20000', '10000', '25000', '9000'];
    const { flips } = report(
      amounts.map((amount) => withdrawal(amount, BigInt(amount), 'player-1')),
      rules({ autoMaxPerWithdrawalMinor: 1n }),
    );
    assert.deepEqual(
      flips[0]?.examples.map(({ amount_minor: amount }) => amount),
      ['50000', '40000', '30000', '25000', '20000'],
    );
    assert.deepEqual([flips[0]?.decisions, EXAMPLES_PER_FLIP], [7, 5]);
  });

  it('examples of one amount are in the order of their ids, however they are read', () => {
    for (const ids of ['abc', 'cba', 'bac']) {
      const { flips } = report(
        [...ids].map((id) => withdrawal(id, 5000n, 'player-1')),
        rules({ autoMaxPerWithdrawalMinor: 1n }),
      );
      assert.deepEqual(
        flips[0]?.examples.map(({ object_id: id }) => id),
        ['wdr_a', 'wdr_b', 'wdr_c'],
      );
    }
  });

  it('two dispatches of one withdrawal are two examples, in the order in which they were decided', () => {
    const times = ['2026-11-20T15:00:00.000Z', '2026-11-21T15:00:00.000Z'];
    const { flips } = report(
      times.map((decidedAt) => decided('wdr_a', 'dispatch', dispatchFacts(), { decidedAt })),
      rules({ autoHours: { from: '00:00', to: '01:00' } }),
    );
    assert.deepEqual(
      flips[0]?.examples.map(({ decided_at: at }) => at),
      times,
    );
  });

  it('is the same in any order of the decisions', () => {
    const proposed = rules({ autoMaxPerWithdrawalMinor: 20000n, withdrawalMaxMinor: 39999n });
    const many = [
      ...cases,
      ...Array.from({ length: 8 }, (_, index) => withdrawal(`same-${index}`, 25000n, `player-${index}`)),
    ];
    const expected = report(many, proposed);
    fc.assert(
      fc.property(fc.shuffledSubarray(many, { minLength: many.length }), (shuffled) =>
        assert.deepEqual(report(shuffled, proposed), expected),
      ),
      { numRuns: 50 },
    );
  });

  it('compares with the rules in force, not with rules of the past, and says how much was decided under those', () => {
    const past: DecidedCase = {
      ...withdrawal('a', 20000n, 'player-1'),
      decision: stored('wdr_a', 'creation', rich({ amountMinor: 20000n }), { autoMaxPerWithdrawalMinor: 1n }),
    };
    const {
      outcomes,
      flipped,
      decided_under_other_rules: otherwise,
    } = report([past], rules({ maxWithdrawalsPerDay: 9 }));
    assert.deepEqual([flipped.decisions, otherwise], [0, 1]);
    assert.deepEqual(
      outcomes
        .filter(({ subject, decided: then, in_force: now }) => subject === 'withdrawal' && then + now > 0)
        .map((one) => [one.outcome, one.decided, one.in_force, one.proposed]),
      [
        ['automatic', 0, 1, 1],
        ['review', 1, 0, 0],
      ],
    );
  });
});

describe('a withdrawal whose key stands in the directory', () => {
  const asked = (keyOwner: WithdrawalFacts['keyOwner'], changes: Partial<WithdrawalFacts> = {}) =>
    rich({ keyHolder: 'in_directory', keyOwner, ...changes });
  const twoStages = (keyOwner: WithdrawalFacts['keyOwner']): DecidedCase => ({
    ...decided('wdr_a', 'creation', asked('not_asked')),
    later: { ...stored('wdr_a', 'dict', asked(keyOwner)), stage: 'dict' },
  });

  it('counts once, as it was decided after the directory', () => {
    const { compared, outcomes } = report([twoStages('mismatch')], rules());
    assert.deepEqual(
      [compared, outcomes.find(({ outcome, subject }) => subject === 'withdrawal' && outcome === 'refuse')?.decided],
      [1, 1],
    );
  });

  it('refused at once it never reaches the directory', () => {
    assert.deepEqual(flipsOf(report([twoStages('match')], rules({ withdrawalMaxMinor: 1n }))), [
      ['withdrawal', 'automatic', 'refuse', 1, 1, '5000'],
    ]);
  });

  it('refused before the directory was asked, it cannot be judged under rules that would have asked', () => {
    const refused = decided('wdr_a', 'creation', asked('not_asked'));
    const { compared, not_comparable: notComparable } = report([refused], rules(), rules({ withdrawalMaxMinor: 1n }));
    assert.deepEqual([compared, notComparable.directory_not_asked], [0, 1]);
  });
});

describe('what is not comparable', () => {
  const because = (asked: DecidedCase, proposed: Rules) => {
    const again = redecide(asked, proposed);
    if (again.kind === 'not_comparable') return again.because;
    assert.equal(again.kind, 'decided');
    return again.outcome.kind;
  };
  const CAP = { operationAutoCap: { perHourMinor: null, perDayMinor: 1n } };
  const TIERS: EngineRules = {
    vip_players: { 'player-1': 'gold' },
    currencies: { BRL: { vip_tiers: { gold: { max_per_withdrawal: '1' } } } },
  };
  const GOLD = engine({ vipTiers: { gold: { maxPerWithdrawalMinor: 1n, maxPerDayMinor: null } } });
  const { risk: _risk, ...withoutHistory } = rich();
  const { availableMinor: _available, ...withoutBalance } = rich();
  const storedWith = (facts: object): DecidedCase => ({
    ...decided('wdr_a', 'creation', rich()),
    decision: { facts, outcome: { kind: 'automatic' }, timezone: 'UTC' },
  });

  for (const [title, asked, proposed, expected] of [
    ['the history is not there', storedWith(withoutHistory), rules(engine({ maxDestinations30d: 3 })), 'facts_missing'],
    ['another fact is not there', storedWith(withoutBalance), rules(), 'facts_missing'],
    [
      'nobody knows the amount',
      decided('wdr_a', 'dispatch', dispatchFacts(), { amountMinor: null }),
      rules(),
      'facts_missing',
    ],
    [
      'the day of the automatic cap is another one in that time zone',
      decided('wdr_a', 'creation', rich()),
      rules({ timezone: 'Asia/Tokyo', ...engine(CAP) }),
      'facts_of_other_rules',
    ],
    [
      'the time zone is another one and no sum of a day counts',
      decided('wdr_a', 'creation', rich()),
      rules({ timezone: 'Asia/Tokyo' }),
      'automatic',
    ],
    [
      'a deposit has no sum of a day',
      decided('dep_a', 'creation', depositFacts()),
      rules({ timezone: 'Asia/Tokyo', ...engine(CAP) }),
      'accept',
    ],
    ['the day of the automatic cap is the same', decided('wdr_a', 'creation', rich()), rules(engine(CAP)), 'review'],
    [
      'the tier is the one that the rules give',
      decided('wdr_a', 'creation', rich({ risk: risk({ vipTier: null }) })),
      rules(GOLD, TIERS),
      'review',
    ],
    [
      'a tier of earlier rules is forgotten',
      decided('wdr_a', 'creation', rich({ risk: risk({ vipTier: 'gold' }) })),
      rules(GOLD),
      'automatic',
    ],
    [
      'nobody knows whose tier',
      decided('wdr_a', 'creation', rich(), { playerRef: null }),
      rules(GOLD, TIERS),
      'facts_missing',
    ],
    [
      'a deposit needs no tier',
      decided('dep_a', 'creation', depositFacts(), { playerRef: null }),
      rules(GOLD, TIERS),
      'accept',
    ],
    [
      'a dispatch needs no tier',
      decided('wdr_a', 'dispatch', dispatchFacts(), { playerRef: null }),
      rules(GOLD, TIERS),
      'send',
    ],
  ] as const) {
    it(`${title} → ${expected}`, () => assert.equal(because(asked, proposed), expected));
  }

  it('is counted under its reason, by either side', () => {
    const none = { facts_missing: 0, directory_not_asked: 0, facts_of_other_rules: 0 };
    for (const [asked, other, expected] of [
      [storedWith(withoutHistory), rules(engine({ noPlayReview: false })), { ...none, facts_missing: 1 }],
      [
        decided('wdr_a', 'creation', rich()),
        rules({ timezone: 'Asia/Tokyo', ...engine(CAP) }),
        { ...none, facts_of_other_rules: 1 },
      ],
    ] as const)
      for (const [before, after] of [
        [rules(), other],
        [other, rules()],
      ] as const) {
        const { compared, not_comparable: notComparable } = report([asked], after, before);
        assert.deepEqual([compared, notComparable], [0, expected]);
      }
  });
});

describe('a report in one line', () => {
  const empty = report([], rules());
  const line = (changes: Partial<RuleChangeReport>) => reportInOneLine({ ...empty, compared: 40, ...changes });

  it('counts what is not comparable over all reasons, and players, also where some are unknown', () => {
    assert.equal(
      line({ not_comparable: { facts_missing: 1, directory_not_asked: 2, facts_of_other_rules: 4 } }),
      '0 of 40 decisions flip (0 players) · R$ 0,00 to review, R$ 0,00 from review · 7 not comparable',
    );
    for (const [players, unknown, words] of [
      [1, 0, '1 player'],
      [2, 0, '2 players'],
      [1, 1, '1+ player'],
      [0, 3, '0+ players'],
    ] as const)
      assert.equal(
        line({ flipped: { decisions: 3, players, players_unknown: unknown } }),
        `3 of 40 decisions flip (${words}) · R$ 0,00 to review, R$ 0,00 from review · 0 not comparable`,
      );
  });
});

describe('why a decision flips', () => {
  const rule = (code: string, result: RuleReport['result'], limit = 0): RuleReport => ({
    code,
    result,
    compared: { limit },
  });

  it('what hits only now, then what no longer hits; not what hits under both', () => {
    assert.deepEqual(
      whyFlipped(
        [
          rule('BOTH', 'hit'),
          rule('GONE', 'hit', 1),
          rule('NEW', 'pass'),
          rule('NEVER', 'pass'),
          rule('UNASKED', 'hit'),
        ],
        [
          rule('BOTH', 'hit', 9),
          rule('GONE', 'pass', 2),
          rule('NEW', 'hit', 3),
          rule('NEVER', 'off'),
          rule('ADDED', 'hit', 4),
        ],
      ),
      [
        { code: 'NEW', proposed: 'hits', compared: { limit: 3 } },
        { code: 'ADDED', proposed: 'hits', compared: { limit: 4 } },
        { code: 'GONE', proposed: 'passes', compared: { limit: 2 } },
        { code: 'UNASKED', proposed: 'passes', compared: {} },
      ],
    );
  });
});
