// Every rule of a withdrawal's creation with the facts that bring it to its threshold.

import { CPF, OTHER_CPF } from './world.js';
import {
  type Arrange,
  type Line,
  EASY,
  MINUTE_MS,
  DAY_MS,
  ago,
  plus,
  repeat,
  emailKey,
  list,
  engine,
  amountAt,
  sumAt,
  countAt,
  ageAt,
  whether,
  WINDOWS,
} from './threshold-lines.js';

export const REFUSALS: readonly Line[] = [
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

export const REVIEWS: readonly Line[] = [
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
      await repeat(1 + step, () => world.withdrawal({ amountMinor: 1n, createdAt: ago(DAY_MS) }));
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
        world.withdrawal({ amountMinor: 1n, key: emailKey('ana'), createdAt: ago(2 * DAY_MS) }),
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
      await world.withdrawal({ amountMinor: 1n, key: emailKey('ana'), createdAt: ago(DAY_MS + step) });
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
          amountMinor: 1n,
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
      await world.withdrawal({ amountMinor: 4999n, createdAt: ago(DAY_MS) });
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
    await repeat(2 + step, () => world.withdrawal({ amountMinor: 5499n, createdAt: ago(7 * DAY_MS - 1) }));
    return undefined;
  };
}
