// What the threshold tests share: a line of their tables, and the ways to bring a world to a threshold.

import type { KeyOwnerFinding } from '../../../domain/rules/verdicts.js';
import { addToList } from '../../../store/rules/lists.js';
import { AT, type EngineInput, sealer, type WithdrawalOptions, World } from './world.js';

/** What is asked once everything is arranged. */
export interface Asked extends WithdrawalOptions {
  readonly at?: string;
  readonly keyOwner?: KeyOwnerFinding;
}
/** Arranges the world so that what the rule measures is its threshold and `step` more; answers what to ask. */
export type Arrange = (world: World, step: -1 | 0 | 1) => Promise<Asked | undefined>;
export type Line = readonly [code: string, title: string, hits: Hits, arrange: Arrange];

/** At which of −1, 0 and +1 the rule hits. */
export const HITS = { above: [1], from: [0, 1], below: [-1], upTo: [-1, 0], other: [-1, 1] } as const;
export type Hits = keyof typeof HITS;

export const EASY = { first_withdrawal_manual: false, auto_multiplier: '1000' };
const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;
export const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
export const plus = (amount: number, step: number) => BigInt(amount + step);
export const repeat = async (count: number, make: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await make(index);
};
export const emailKey = (name: string) => ({ type: 'email', value: `${name}@example.test` }) as const;
export const list = (world: World, name: 'block' | 'review', kind: string, value: string) =>
  addToList(world.database, sealer, { operationId: world.operationId, list: name, kind, value, person: 'test' });

export type BrlEngine = NonNullable<EngineInput['currencies']>[string];
export const engine = (world: World, brl: BrlEngine, more: EngineInput = {}) =>
  world.setEngine({ ...more, currencies: { BRL: brl } }, EASY);

/** The amount asked for is the threshold of the rule set and `step` more. */
export const amountAt =
  (rules: object): Arrange =>
  async (world, step) => {
    await world.setRules({ ...EASY, ...rules });
    return { amountMinor: plus(5000, step) };
  };
/** Earlier withdrawals of 3000 and `step` more, so that with this one the sum is 8000 and `step` more. */
export const sumAt =
  (brl: BrlEngine, agoMs: number, rules: object = {}): Arrange =>
  async (world, step) => {
    await world.setEngine({ currencies: { BRL: brl } }, { ...EASY, ...rules });
    await world.withdrawal({ amountMinor: plus(3000, step), status: 'under_review', createdAt: ago(agoMs) });
    return undefined;
  };
/** So many earlier withdrawals that this one is number three, and `step` more. */
export const countAt =
  (brl: BrlEngine, agoMs: number, rules: object = {}): Arrange =>
  async (world, step) => {
    await world.setEngine({ currencies: { BRL: brl } }, { ...EASY, ...rules });
    await repeat(2 + step, () => world.withdrawal({ amountMinor: 1n, createdAt: ago(agoMs) }));
    return undefined;
  };
/** One earlier withdrawal, as old as the window is long, and `step` milliseconds older. */
export const ageAt =
  (brl: BrlEngine, windowMs: number): Arrange =>
  async (world, step) => {
    await engine(world, brl);
    await world.withdrawal({ amountMinor: 3001n, createdAt: ago(windowMs + step) });
    return undefined;
  };
/** Without (−1) and with (0 and +1) something. */
export const whether =
  (arrange: (world: World) => Promise<Asked | undefined | boolean>): Arrange =>
  async (world, step) => {
    if (step < 0) return undefined;
    const asked = await arrange(world);
    return typeof asked === 'boolean' ? undefined : asked;
  };

export const WINDOWS = [
  ['7D', '7d', 7 * DAY_MS],
  ['30D', '30d', 30 * DAY_MS],
] as const;
