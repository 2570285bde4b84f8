// Every rule of a deposit's creation with the facts that bring it to its threshold.

import { CPF, OTHER_CPF } from './world.js';
import {
  type Arrange,
  type Line,
  MINUTE_MS,
  ago,
  plus,
  repeat,
  list,
  type BrlEngine,
  engine,
  amountAt,
  whether,
  WINDOWS,
} from './threshold-lines.js';

export type DepositEngine = NonNullable<BrlEngine['deposits']>;
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
    await repeat(2 + step, () => world.deposit({ amountMinor: 1n, status, createdAt: ago(agoMs) }));
    return undefined;
  };
const depositAge =
  (deposits: DepositEngine, windowMs: number, status = 'paid'): Arrange =>
  async (world, step) => {
    await engine(world, { deposits });
    await world.deposit({ status, createdAt: ago(windowMs + step) });
    return undefined;
  };

export const DEPOSITS: readonly Line[] = [
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
