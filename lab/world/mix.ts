// What a seed makes of its world: who is in it, how much happens, and which faults how often. Each seed has a mix of
// its own, from no fault at all to many at once.
import type { Chance } from '../machine/chance.js';

/** Faults, and how often each happens where it may: a probability, or times a day. */
export const FAULTS = {
  'a call to the provider is slow': [0.02, 0.4],
  'a call to the provider never arrives': [0.01, 0.2],
  'an answer of the provider is lost': [0.01, 0.2],
  'the provider is silent to a call': [0.01, 0.15],
  'the provider refuses a connection': [0.01, 0.2],
  'the provider is down for a while': [0.5, 6],
  'a callback is refused at the door': [0.05, 0.6],
  'the answer to a callback is lost': [0.05, 0.6],
  'an answer of the api is lost': [0.02, 0.3],
  'a receiver is down for a while': [0.5, 6],
  'a receiver is slow': [0.02, 0.3],
  'a receiver fails': [0.02, 0.4],
  'the database refuses a statement': [0.001, 0.03],
  'the answer to a statement is lost': [0.001, 0.02],
  'Temporal refuses a call': [0.005, 0.1],
  'an answer of Temporal is lost': [0.005, 0.1],
  'the worker is killed between two things': [0.5, 12],
  'the worker is killed within a step': [0.5, 12],
  'the worker is away for a while': [0.5, 5],
  'the api is killed': [0.5, 6],
  'a workflow is evicted': [2, 100],
  'a history continues as a new one': [0.005, 0.1],
  'a sweep does not run': [0.1, 0.9],
  'a task waits for its worker': [0.05, 0.5],
} as const;
export type Fault = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as Fault[];

/** What players, providers and operators do differently from the usual, and how often. */
export const HABITS = {
  'a charge is not paid': [0, 0.4],
  'a charge is paid at its deadline': [0, 0.3],
  'a charge is paid late': [0, 0.3],
  'another amount is paid': [0, 0.25],
  'another person pays': [0, 0.25],
  'a payment goes back': [0, 0.4],
  'a payment goes back in parts': [0, 0.5],
  'a payout fails': [0, 0.3],
  'a payout comes back': [0, 0.3],
  'a payout comes back in parts': [0, 0.5],
  'a provider behaves as its sentinels say': [0, 0.5],
  'a deposit is cancelled': [0, 0.25],
  'a withdrawal is cancelled': [0, 0.3],
  'an operator repeats a request': [0, 0.3],
  'an operator reuses a key': [0, 0.1],
  'an operator wants a review': [0, 0.4],
  'a person refuses': [0, 0.4],
  'a person returns a deposit': [0, 0.6],
  'two people decide at once': [0, 0.3],
} as const;
export type Habit = keyof typeof HABITS;
const HABIT_NAMES = Object.keys(HABITS) as Habit[];

export interface Mix {
  readonly operations: number;
  readonly players: number;
  readonly payments: number;
  readonly hours: number;
  /** The part of payments that are deposits. */
  readonly deposits: number;
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  readonly habits: Readonly<Record<Habit, number>>;
}

/** @param scale how much happens, compared with a usual life */
export function drawMix(chance: Chance, scale = 1): Mix {
  // From nothing going wrong to half of everything.
  const density = chance.is(0.15) ? 0 : chance.unit() * 0.6;
  const faults = NAMES.flatMap((name) => {
    const [least, most] = FAULTS[name];
    const isDrawn = chance.is(density);
    const intensity = least * (most / least) ** chance.unit();
    return isDrawn ? [[name, intensity] as const] : [];
  });
  const habits = HABIT_NAMES.map((name) => {
    const [least, most] = HABITS[name];
    const isDrawn = chance.is(0.6);
    const intensity = least + (most - least) * chance.unit();
    return [name, isDrawn ? intensity : 0] as const;
  });
  return {
    operations: chance.whole(1, 2),
    players: chance.whole(2, 8),
    payments: Math.max(1, Math.round(chance.whole(15, 60) * scale)),
    hours: chance.of([1, 1, 3, 3, 8, 8, 30]),
    deposits: 0.4 + 0.4 * chance.unit(),
    faults: Object.fromEntries(faults),
    habits: Object.fromEntries(habits) as Record<Habit, number>,
  };
}
