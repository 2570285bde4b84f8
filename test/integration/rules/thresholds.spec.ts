// Every code of the rules of a creation, from rows in a real database: one below its threshold, at it, and one above. The table is
// data; a rule without a line in it fails the last test.
import assert from 'node:assert/strict';
import { DEPOSIT_RULES } from '../../../domain/rules/deposit-rules.js';
import type { KeyOwnerFinding } from '../../../domain/rules/verdicts.js';
import { WITHDRAWAL_RULES } from '../../../domain/rules/withdrawal-rules.js';
import { addToList } from '../../../store/rules/lists.js';
import { AT, CPF, type EngineInput, OTHER_CPF, sealer, type WithdrawalOptions, World } from './world.js';

/** What is asked once everything is arranged. */
interface Asked extends WithdrawalOptions {
  readonly at?: string;
  readonly keyOwner?: KeyOwnerFinding;
}
/** Arranges the world so that what the rule measures is its threshold and `step` more; answers what to ask. */
type Arrange = (world: World, step: -1 | 0 | 1) => Promise<Asked | undefined>;
type Line = readonly [code: string, title: string, hits: Hits, arrange: Arrange];

/** At which of −1, 0 and +1 the rule hits. */
const HITS = { above: [1], from: [0, 1], below: [-1], upTo: [-1, 0], other: [-1, 1] } as const;
type Hits = keyof typeof HITS;

const EASY = { first_withdrawal_manual: false, auto_multiplier: '1000' };
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
const plus = (amount: number, step: number) => String(amount + step);
const repeat = async (count: number, make: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await make(index);
};
const emailKey = (name: string) => ({ type: 'email', value: `${name}@example.test` }) as const;
const list = (world: World, name: 'block' | 'review', kind: string, value: string) =>
  addToList(world.database, sealer, { operationId: world.operationId, list: name, kind, value, person: 'test' });

type BrlEngine = NonNullable<EngineInput['currencies']>[string];
const engine = (world: World, brl: BrlEngine, more: EngineInput = {}) =>
  world.setEngine({ ...more, currencies: { BRL: brl } }, EASY);

/** The amount asked for is the threshold of the rule set and `step` more. */
const amountAt =
  (rules: object): Arrange =>
  async (world, step) => {
    await world.setRules({ ...EASY, ...rules });
    return { amountMinor: plus(5000, step) };
  };
/** Earlier withdrawals of 3000 and `step` more, so that with this one the sum is 8000 and `step` more. */
const sumAt =
  (brl: BrlEngine, agoMs: number, rules: object = {}): Arrange =>
  async (world, step) => {
    await world.setEngine({ currencies: { BRL: brl } }, { ...EASY, ...rules });
    await world.withdrawal({ amountMinor: plus(3000, step), status: 'under_review', createdAt: ago(agoMs) });
    return undefined;
  };
/** So many earlier withdrawals that this one is number three, and `step` more. */
const countAt =
  (brl: BrlEngine, agoMs: number, rules: object = {}): Arrange =>
  async (world, step) => {
    await world.setEngine({ currencies: { BRL: brl } }, { ...EASY, ...rules });
    await repeat(2 + step, () => world.withdrawal({ amountMinor: '1', createdAt: ago(agoMs) }));
    return undefined;
  };
/** One earlier withdrawal, as old as the window is long, and `step` milliseconds older. */
const ageAt =
  (brl: BrlEngine, windowMs: number): Arrange =>
  async (world, step) => {
    await engine(world, brl);
    await world.withdrawal({ amountMinor: '3001', createdAt: ago(windowMs + step) });
    return undefined;
  };
/** Without (−1) and with (0 and +1) something. */
const whether =
  (arrange: (world: World) => Promise<Asked | undefined | boolean>): Arrange =>
  async (world, step) => {
    if (step < 0) return undefined;
    const asked = await arrange(world);
    return typeof asked === 'boolean' ? undefined : asked;
  };

const WINDOWS = [
  ['7D', '7d', 7 * DAY_MS],
  ['30D', '30d', 30 * DAY_MS],
] as const;

const REFUSALS: readonly Line[] = [
  ['AMOUNT_BELOW_MINIMUM', 'the minimum', 'below', amountAt({ withdrawal_min: '5000' })],
  ['AMOUNT_ABOVE_MAXIMUM', 'the maximum', 'above', amountAt({ withdrawal_max: '5000' })],
  [
    'DOCUMENT_INVALID',
    'a wrong check digit',
    'from',
    whether(async () => ({ ref: 'player-9', document: { type: 'CPF', number: '12345678900' } })),
  ],
  [
    'PLAYER_DOCUMENT_CHANGED',
    'another document',
    'from',
    whether(async () => ({ document: { type: 'CPF', number: OTHER_CPF }, key: { type: 'cpf', value: OTHER_CPF } })),
  ],
  [
    'DOCUMENT_MISMATCH',
    'a CPF key of another',
    'from',
    whether(async () => ({ key: { type: 'cpf', value: OTHER_CPF } })),
  ],
  [
    'DOCUMENT_MISMATCH',
    'the directory names another',
    'from',
    whether(async () => ({ key: emailKey('ana'), keyOwner: 'mismatch' })),
  ],
  ['PLAYER_BLOCKED', 'the player', 'from', whether((world) => list(world, 'block', 'player', 'player-1'))],
  ['PLAYER_BLOCKED', 'the document', 'from', whether((world) => list(world, 'block', 'document', CPF))],
  ['DESTINATION_BLOCKED', 'the key', 'from', whether((world) => list(world, 'block', 'pix_key', CPF))],
  [
    'VELOCITY_HARD_LIMIT',
    'requests of ten minutes',
    'above',
    countAt({ velocity: { window_minutes: 10, refuse_above: 3 } }, MINUTE_MS),
  ],
  [
    'VELOCITY_HARD_LIMIT',
    'the age of a request',
    'below',
    ageAt({ velocity: { window_minutes: 10, refuse_above: 1 } }, 10 * MINUTE_MS),
  ],
  ['WINDOW_HARD_LIMIT', 'the sum of the day', 'above', sumAt({ windows: { day: { max_amount: '8000' } } }, MINUTE_MS)],
  ['WINDOW_HARD_LIMIT', 'the count of the day', 'above', countAt({ windows: { day: { max_count: 3 } } }, MINUTE_MS)],
  ...WINDOWS.flatMap(([, window, ms]): Line[] => [
    [
      'WINDOW_HARD_LIMIT',
      `the sum of ${window}`,
      'above',
      sumAt({ windows: { [window]: { max_amount: '8000' } } }, ms - 1),
    ],
    [
      'WINDOW_HARD_LIMIT',
      `the count of ${window}`,
      'above',
      countAt({ windows: { [window]: { max_count: 3 } } }, ms - 1),
    ],
    ['WINDOW_HARD_LIMIT', `the edge of ${window}`, 'below', ageAt({ windows: { [window]: { max_count: 1 } } }, ms)],
  ]),
  [
    'INSUFFICIENT_OPERATION_BALANCE',
    'the cash box',
    'above',
    async (world, step) => {
      await world.database.ledgerAccount.updateMany({
        where: { operationId: world.operationId },
        data: { balanceMinor: 5000 },
      });
      return { amountMinor: plus(5000, step) };
    },
  ],
];

const REVIEWS: readonly Line[] = [
  // 100000 deposited once, 1000 withdrawn before.
  [
    'AUTO_MULTIPLIER_EXCEEDED',
    'X times the deposits',
    'above',
    async (world, step) => {
      await world.setRules({ ...EASY, auto_multiplier: '0.5' });
      return { amountMinor: plus(49_000, step) };
    },
  ],
  [
    'NO_SETTLED_DEPOSIT',
    'one settled deposit',
    'below',
    async (world, step) => {
      await world.database.deposit.updateMany({
        where: { operationId: world.operationId },
        data: { status: 'pending' },
      });
      await repeat(1 + step, () => world.deposit());
      return undefined;
    },
  ],
  [
    'AUTO_DISABLED',
    'X is 0',
    'from',
    whether((world) => world.setRules({ ...EASY, auto_multiplier: '0' }).then(() => undefined)),
  ],
  [
    'OPERATION_AUTO_SUSPENDED',
    'the switch',
    'from',
    whether((world) => world.setEngine({ auto_suspended: true }, EASY).then(() => undefined)),
  ],
  ['AUTO_MAX_PER_WITHDRAWAL_EXCEEDED', 'the automatic ceiling', 'above', amountAt({ auto_max_per_withdrawal: '5000' })],
  [
    'FIRST_WITHDRAWAL',
    'one paid withdrawal',
    'below',
    async (world, step) => {
      await world.setRules({ ...EASY, first_withdrawal_manual: true });
      await world.database.withdrawal.updateMany({
        where: { operationId: world.operationId },
        data: { status: 'approved' },
      });
      await repeat(1 + step, () => world.withdrawal({ amountMinor: '1', createdAt: ago(DAY_MS) }));
      return undefined;
    },
  ],
  ['OPERATOR_REVIEW_REQUESTED', 'the wish', 'from', whether(async () => ({ reviewRequested: true }))],
  ['OWNERSHIP_UNVERIFIED', 'no player IP', 'from', whether(async () => ({ ip: null }))],
  [
    'OWNERSHIP_UNVERIFIED',
    'a key of 77 characters',
    'above',
    async (_world, step) => ({ key: emailKey('a'.repeat(64 + step)), keyOwner: 'match' }),
  ],
  [
    'OWNERSHIP_UNVERIFIED',
    'one paid withdrawal to a key under a mask',
    'below',
    async (world, step) => {
      await repeat(1 + step, () =>
        world.withdrawal({ amountMinor: '1', key: emailKey('ana'), createdAt: ago(2 * DAY_MS) }),
      );
      return { key: emailKey('ana'), keyOwner: 'weak_match' };
    },
  ],
  ['DICT_UNAVAILABLE', 'no answer', 'from', whether(async () => ({ key: emailKey('ana'), keyOwner: 'unavailable' }))],
  ['WINDOW_DAY_AMOUNT_EXCEEDED', 'the sum of the day', 'above', sumAt({}, MINUTE_MS, { auto_max_per_day: '8000' })],
  [
    'WINDOW_DAY_COUNT_EXCEEDED',
    'the count of the day',
    'above',
    countAt({}, MINUTE_MS, { max_withdrawals_per_day: 3 }),
  ],
  ...WINDOWS.flatMap(([name, window, ms]): Line[] => [
    [
      `WINDOW_${name}_AMOUNT_EXCEEDED`,
      'the sum',
      'above',
      sumAt({ windows: { [window]: { review_amount: '8000' } } }, ms - 1),
    ],
    [
      `WINDOW_${name}_AMOUNT_EXCEEDED`,
      'the edge',
      'below',
      ageAt({ windows: { [window]: { review_amount: '8000' } } }, ms),
    ],
    [
      `WINDOW_${name}_COUNT_EXCEEDED`,
      'the count',
      'above',
      countAt({ windows: { [window]: { review_count: 3 } } }, ms - 1),
    ],
    [`WINDOW_${name}_COUNT_EXCEEDED`, 'the edge', 'below', ageAt({ windows: { [window]: { review_count: 1 } } }, ms)],
  ]),
  [
    'VELOCITY_WITHDRAWALS',
    'requests of ten minutes',
    'above',
    countAt({ velocity: { window_minutes: 10, review_above: 3 } }, MINUTE_MS),
  ],
  [
    'VELOCITY_WITHDRAWALS',
    'the age of a request',
    'below',
    ageAt({ velocity: { window_minutes: 10, review_above: 1 } }, 10 * MINUTE_MS),
  ],
  [
    'PIX_KEY_CHANGED',
    'the cooldown',
    'below',
    async (world, step) => {
      await world.withdrawal({ amountMinor: '1', key: emailKey('ana'), createdAt: ago(DAY_MS + step) });
      return { key: emailKey('ana'), keyOwner: 'match' };
    },
  ],
  [
    'NEW_CONTEXT',
    'a new device with a new key',
    'from',
    async (_world, step) => ({ key: emailKey('ana'), keyOwner: 'match', ...(step < 0 ? {} : { device: 'device-2' }) }),
  ],
  [
    'DESTINATION_CHURN',
    'keys of 30 days',
    'above',
    async (world, step) => {
      await engine(world, { max_destinations_30d: 3 });
      await repeat(2 + step, (index) =>
        world.withdrawal({
          amountMinor: '1',
          status: 'rejected',
          key: emailKey(`key-${index}`),
          createdAt: ago(30 * DAY_MS - 1),
        }),
      );
      return undefined;
    },
  ],
  [
    'SHARED_DESTINATION',
    'another player',
    'from',
    whether((world) => world.withdrawal({ ref: 'player-2' }).then(() => undefined)),
  ],
  [
    'SHARED_DOCUMENT',
    'another reference',
    'from',
    whether((world) => world.player({ ref: 'player-2' }).then(() => undefined)),
  ],
  // The network 203.0.113.0/24 begins at 203.0.113.0 and ends at 203.0.113.255.
  [
    'IP_LISTED',
    'the first address of a network',
    'from',
    async (world, step) => {
      await list(world, 'review', 'ip', '203.0.113.0/24');
      return { ip: ['203.0.112.255', '203.0.113.0', '203.0.113.1'][step + 1] ?? null };
    },
  ],
  [
    'IP_LISTED',
    'the last address of a blocked network',
    'upTo',
    async (world, step) => {
      await list(world, 'block', 'ip', '203.0.113.0/24');
      return { ip: ['203.0.113.254', '203.0.113.255', '203.0.114.0'][step + 1] ?? null };
    },
  ],
  ['DEVICE_LISTED', 'the device', 'from', whether((world) => list(world, 'block', 'device', 'device-1'))],
  ['PLAYER_LISTED', 'the player', 'from', whether((world) => list(world, 'review', 'player', 'player-1'))],
  ['DESTINATION_LISTED', 'the key', 'from', whether((world) => list(world, 'review', 'pix_key', CPF))],
  [
    'VIP_LIMIT_EXCEEDED',
    'the tier’s ceiling',
    'above',
    async (world, step) => {
      await engine(
        world,
        { vip_tiers: { gold: { max_per_withdrawal: '5000' } } },
        { vip_players: { 'player-1': 'gold' } },
      );
      return { amountMinor: plus(5000, step) };
    },
  ],
  [
    'VIP_LIMIT_EXCEEDED',
    'the tier’s day',
    'above',
    async (world, step) => {
      await engine(world, { vip_tiers: { gold: { max_per_day: '8000' } } }, { vip_players: { 'player-1': 'gold' } });
      await world.withdrawal({ amountMinor: plus(3000, step), createdAt: ago(MINUTE_MS) });
      return undefined;
    },
  ],
  ...(['per_hour', 'per_day'] as const).map((period): Line => [
    'OPERATION_AUTO_CAP_EXCEEDED',
    period,
    'above',
    async (world, step) => {
      await engine(world, { operation_auto_cap: { [period]: '8000' } });
      const used = 3000 + step;
      await world.database.automaticUse.create({
        data: {
          operationId: world.operationId,
          currency: 'BRL',
          hour: '2026-11-21T15',
          hourMinor: used,
          day: '2026-11-21',
          dayMinor: used,
        },
      });
      return undefined;
    },
  ]),
  // 15:00 UTC is 12:00 in São Paulo.
  [
    'OUTSIDE_AUTO_HOURS',
    'the end of the hours',
    'from',
    async (world, step) => {
      await world.setEngine({ auto_hours_policy: 'review' }, { ...EASY, auto_hours: { from: '08:00', to: '12:00' } });
      return { at: ago(-step) };
    },
  ],
  [
    'OUTSIDE_AUTO_HOURS',
    'the beginning of hours over midnight',
    'below',
    async (world, step) => {
      await world.setEngine({ auto_hours_policy: 'review' }, { ...EASY, auto_hours: { from: '12:00', to: '02:00' } });
      return { at: ago(-step) };
    },
  ],
  ['DUAL_APPROVAL_REQUIRED', 'the amount', 'above', amountAt({ dual_approval_above: '5000' })],
  [
    'DUAL_APPROVAL_REQUIRED',
    'a reason',
    'from',
    whether(async (world) => {
      await world.setEngine({ dual_approval_reasons: ['SHARED_DOCUMENT'] }, EASY);
      await world.player({ ref: 'player-2' });
      return undefined;
    }),
  ],
  ['AML_STRUCTURING', 'just under, three times', 'from', countJustUnder()],
  [
    'AML_STRUCTURING',
    'the reporting threshold',
    'below',
    async (world, step) => {
      await engine(world, { aml: { structuring: { reporting_threshold: '5000', min_count: 2 } } });
      await world.withdrawal({ amountMinor: '4999', createdAt: ago(DAY_MS) });
      return { amountMinor: plus(5000, step) };
    },
  ],
  [
    'AML_RAPID_TURNAROUND',
    'minutes after a deposit',
    'upTo',
    async (world, step) => {
      await engine(world, { aml: { rapid_turnaround: { within_minutes: 30, min_count: 1 } } });
      await world.deposit({ createdAt: ago(30 * MINUTE_MS + step) });
      return undefined;
    },
  ],
  [
    'AML_RAPID_TURNAROUND',
    '10 % less than was deposited',
    'upTo',
    async (world, step) => {
      await engine(world, { aml: { rapid_turnaround: { within_minutes: 30, min_count: 1 } } });
      // 5000 is 10 % less than 5555 (rounded down), not than 5556.
      await world.deposit({ amountMinor: plus(5555, step), createdAt: ago(MINUTE_MS) });
      return undefined;
    },
  ],
  [
    'AML_NO_PLAY_REPORTED',
    'a result of 0',
    'from',
    whether(async () => ({ playerContext: { net_gaming_result: '0' } })),
  ],
  [
    'AML_SHARED_PAYER',
    'players of a payer',
    'from',
    async (world, step) => {
      await engine(world, { aml: { shared_payer_players: 3 } });
      await repeat(3 + step, (index) => world.deposit({ ref: `player-${index + 1}`, payer: OTHER_CPF }));
      return undefined;
    },
  ],
  [
    'AML_MANY_PAYERS',
    'payers of 30 days',
    'above',
    async (world, step) => {
      await engine(world, { aml: { max_payers_30d: 2 } });
      await repeat(2 + step, (index) =>
        world.deposit({ payer: `1114447773${index}`, createdAt: ago(30 * DAY_MS - 1) }),
      );
      return undefined;
    },
  ],
];

function countJustUnder(): Arrange {
  return async (world, step) => {
    await engine(world, { aml: { structuring: { reporting_threshold: '5500', min_count: 3 } } });
    await repeat(2 + step, () => world.withdrawal({ amountMinor: '5499', createdAt: ago(7 * DAY_MS - 1) }));
    return undefined;
  };
}

type DepositEngine = NonNullable<BrlEngine['deposits']>;
const depositSum =
  (deposits: DepositEngine, agoMs: number): Arrange =>
  async (world, step) => {
    await engine(world, { deposits });
    await world.deposit({ amountMinor: plus(3000, step), createdAt: ago(agoMs) });
    return undefined;
  };
const depositCount =
  (deposits: DepositEngine, agoMs: number, status = 'paid'): Arrange =>
  async (world, step) => {
    await engine(world, { deposits });
    await repeat(2 + step, () => world.deposit({ amountMinor: '1', status, createdAt: ago(agoMs) }));
    return undefined;
  };
const depositAge =
  (deposits: DepositEngine, windowMs: number, status = 'paid'): Arrange =>
  async (world, step) => {
    await engine(world, { deposits });
    await world.deposit({ status, createdAt: ago(windowMs + step) });
    return undefined;
  };

const DEPOSITS: readonly Line[] = [
  ['AMOUNT_BELOW_MINIMUM', 'the minimum', 'below', amountAt({ deposit_min: '5000' })],
  ['AMOUNT_ABOVE_MAXIMUM', 'the maximum', 'above', amountAt({ deposit_max: '5000' })],
  [
    'PLAYER_DOCUMENT_CHANGED',
    'another document',
    'from',
    whether(async () => ({ document: { type: 'CPF', number: OTHER_CPF } })),
  ],
  ['PLAYER_BLOCKED', 'the player', 'from', whether((world) => list(world, 'block', 'player', 'player-1'))],
  ['PLAYER_BLOCKED', 'the document', 'from', whether((world) => list(world, 'block', 'document', CPF))],
  [
    'DEPOSIT_WINDOW_EXCEEDED',
    'the sum of the day',
    'above',
    depositSum({ windows: { day: { max_amount: '8000' } } }, MINUTE_MS),
  ],
  [
    'DEPOSIT_WINDOW_EXCEEDED',
    'the count of the day',
    'above',
    depositCount({ windows: { day: { max_count: 3 } } }, MINUTE_MS),
  ],
  ...WINDOWS.flatMap(([, window, ms]): Line[] => [
    [
      'DEPOSIT_WINDOW_EXCEEDED',
      `the sum of ${window}`,
      'above',
      depositSum({ windows: { [window]: { max_amount: '8000' } } }, ms - 1),
    ],
    [
      'DEPOSIT_WINDOW_EXCEEDED',
      `the count of ${window}`,
      'above',
      depositCount({ windows: { [window]: { max_count: 3 } } }, ms - 1),
    ],
    [
      'DEPOSIT_WINDOW_EXCEEDED',
      `the edge of ${window}`,
      'below',
      depositAge({ windows: { [window]: { max_count: 1 } } }, ms),
    ],
  ]),
  [
    'DEPOSIT_VELOCITY_UNPAID',
    'unpaid ones',
    'above',
    depositCount({ unpaid: { window_minutes: 30, max_count: 3 } }, MINUTE_MS, 'expired'),
  ],
  [
    'DEPOSIT_VELOCITY_UNPAID',
    'the age of an unpaid one',
    'below',
    depositAge({ unpaid: { window_minutes: 30, max_count: 1 } }, 30 * MINUTE_MS, 'pending'),
  ],
];

describe('thresholds, from rows', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew(EASY));

  function check(
    subject: string,
    lines: readonly Line[],
    prepare: () => Promise<void>,
    decide: (asked: Asked) => Promise<readonly string[]>,
  ): void {
    for (const [code, title, hits, arrange] of lines) {
      for (const step of [-1, 0, 1] as const) {
        const isHit = (HITS[hits] as readonly number[]).includes(step);
        it(`${subject}: ${code}, ${title} ${step > 0 ? '+1' : step} → ${isHit ? 'hits' : 'passes'}`, async () => {
          await prepare();
          const reasons = await decide((await arrange(world, step)) ?? {});
          assert.equal(reasons.includes(code), isHit, reasons.join() || 'no reasons');
        });
      }
    }
  }

  const reasonsOf = (verdict: object): readonly string[] =>
    'reasons' in verdict ? (verdict.reasons as readonly string[]) : [];
  check(
    'withdrawal',
    [...REFUSALS, ...REVIEWS],
    () => world.knownPlayer(),
    async ({ at, keyOwner, ...options }) => reasonsOf(await world.decide(options, keyOwner, at)),
  );
  check(
    'deposit',
    DEPOSITS,
    () => world.player(),
    async ({ at = AT, ...options }) =>
      reasonsOf(await world.rules.decideDeposit({ order: world.depositOrder(options), at })),
  );

  it('every rule of a creation has its lines', () => {
    const tested = (lines: readonly Line[]) => [...new Set(lines.map(([code]) => code))].sort();
    assert.deepEqual(tested([...REFUSALS, ...REVIEWS]), WITHDRAWAL_RULES.map(({ code }) => code).sort());
    assert.deepEqual(tested(DEPOSITS), DEPOSIT_RULES.map(({ code }) => code).sort());
  });
});
