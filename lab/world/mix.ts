// What a seed makes of its world: who is in it, how much happens, and which faults, habits and acts how often. Each
// seed has a mix of its own, from nothing unusual to much at once.
import { DEFAULT_DIALECTS, type DialectName } from '../../providers/settings.js';
import type { Chance } from '../machine/chance.js';

/**
 * Faults, and how often each happens where it may: a probability, or times a day. Most lives last for one to eight
 * hours.
 */
export const FAULTS = {
  'a call to the provider is slow': [0.02, 0.4],
  'the provider answers about another payout': [0.01, 0.2],
  'a call to the provider never arrives': [0.01, 0.2],
  'a call to the provider arrives late': [0.005, 0.1],
  'an answer of the provider is lost': [0.01, 0.2],
  'the provider is silent to a call': [0.01, 0.15],
  'the provider refuses a connection': [0.01, 0.2],
  'the provider is down for a while': [2, 24],
  'a callback is refused at the door': [0.05, 0.6],
  'the answer to a callback is lost': [0.05, 0.6],
  'an answer of the api is lost': [0.02, 0.3],
  'a receiver is down for a while': [2, 24],
  'a receiver is slow': [0.02, 0.3],
  'a receiver fails': [0.02, 0.4],
  'a receiver answers wrongly': [0.02, 0.3],
  'the database refuses a statement': [0.001, 0.03],
  'the answer to a statement is lost': [0.001, 0.02],
  'PostgreSQL is restarted': [2, 24],
  'Temporal refuses a call': [0.005, 0.1],
  'an answer of Temporal is lost': [0.005, 0.1],
  'the worker is killed between two things': [2, 24],
  'the worker is killed within a step': [2, 24],
  'the worker is away for a while': [2, 16],
  'the worker is frozen for a while': [2, 24],
  'the worker is replaced by a new one': [2, 24],
  'the clock of a process jumps': [2, 24],
  'the api is killed': [2, 24],
  'a workflow is evicted': [2, 100],
  'a workflow is ended by hand': [2, 60],
  'a workflow is reset to an earlier task': [2, 40],
  'a history continues as a new one': [0.005, 0.1],
  'a sweep does not run': [0.1, 0.9],
  'a task waits for its worker': [0.05, 0.5],
} as const;
/** When the clock of a process jumps. */
export const MOST_CLOCK_OFF_MS = 200_000;
export type Fault = keyof typeof FAULTS;

/** What players, providers and operators do differently from the usual, and how often. */
export const HABITS = {
  'a charge is not paid': [0, 0.4],
  'a charge is paid at its deadline': [0, 0.3],
  'a charge is paid late': [0, 0.3],
  'a charge is paid twice': [0, 0.25],
  'another amount is paid': [0, 0.25],
  'another person pays': [0, 0.25],
  'a payment goes back': [0, 0.4],
  'a payment goes back in parts': [0, 0.5],
  'the rest goes back on a later day': [0, 0.3],
  'a payout fails': [0, 0.3],
  'a payout comes back': [0, 0.3],
  'a payout comes back in parts': [0, 0.5],
  'the return of a payout is not performed': [0, 0.3],
  'a payout is left processing': [0, 0.15],
  'a provider behaves as its sentinels say': [0, 0.5],
  'a deposit is cancelled': [0, 0.25],
  'a withdrawal is cancelled': [0, 0.3],
  'a cancel races a decision': [0, 0.5],
  'an operator repeats a request': [0, 0.3],
  'an operator reuses a key': [0, 0.2],
  'an operator reuses its own id': [0, 0.2],
  'an operator wants a review': [0, 0.4],
  'a person refuses': [0, 0.4],
  'a person returns a deposit': [0, 0.6],
  'a person cancels': [0, 0.2],
  'two people decide at once': [0, 0.3],
  'two people enter one return': [0, 0.5],
} as const;
export type Habit = keyof typeof HABITS;

/** What staff and strangers do besides payments, and how often in a life at most. */
export const ACTS = {
  'a player is blocked': 2,
  'a key is put on the review list': 2,
  'an operation is suspended': 2,
  'automatic withdrawals are stopped': 2,
  'a provider is paused': 2,
  'an operation moves to another account': 3,
  'a cash box is funded': 3,
  'money is settled to an operator': 2,
  'a cash box is corrected': 2,
  'a webhook secret is rotated': 2,
  'an API key is rotated': 2,
  'rules change': 2,
  'an event is delivered again': 3,
  'an operator reads its balances': 3,
  'a callback is forged': 4,
  'a callback tells of what did not happen': 4,
  'a callback is repeated late': 4,
  'a payment without a charge comes': 2,
  'a payer disputes a payment': 3,
  'a payout leaves by hand': 2,
  'the directory runs out of tokens': 2,
  'a bank shows payments late': 2,
  'a bank takes long for returns': 2,
  'a bank is odd': 3,
  'callbacks come together': 3,
  'an account at a provider is short': 2,
  'players withdraw at once': 3,
  'a person looks a payment up': 4,
  'an operator follows its changes': 4,
} as const;
export type Act = keyof typeof ACTS;

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as Name[];

/** Accounts at providers that operations may use. */
const SLOTS = [['simulator'], ['a'], ['b'], ['simulator', 'a'], ['b', 'simulator'], ['a', 'b', 'simulator']] as const;
export type LabSlot = (typeof SLOTS)[number][number];
/** How the banks behind them talk. */
export type Dialects = Readonly<Record<LabSlot, DialectName>>;
/** How often a real provider's dialect stands behind a slot, in place of the sandbox's own. */
const REAL_DIALECTS = { efi: 0.2, woovi: 0.15 } as const;

const HOUR_MS = 3_600_000;
/** Mornings, evenings before the day's end, and the last evenings of months. */
const BEGINNINGS = [
  Date.UTC(2026, 0, 5, 9),
  Date.UTC(2026, 0, 5, 9),
  Date.UTC(2026, 0, 6, 21),
  Date.UTC(2026, 0, 31, 22),
  Date.UTC(2026, 1, 28, 20),
] as const;

export interface Mix {
  readonly beganMs: number;
  readonly operations: number;
  readonly players: number;
  readonly payments: number;
  readonly hours: number;
  /** Deadlines of charges, in seconds. */
  readonly expiresInSeconds: readonly number[];
  /** How many times quicker people and banks are than usual. */
  readonly haste: number;
  /** The part of payments that are deposits. */
  readonly deposits: number;
  /** The first is where operations begin, by turns. */
  readonly slots: readonly LabSlot[];
  readonly dialects: Dialects;
  /** Who stays ill when the world is healed; of everybody else it is demanded that everything ends. */
  readonly ill: { readonly receiver: boolean; readonly slot: LabSlot | null };
  /** Whether no provider sends callbacks: sweeps and look-ups find everything. */
  readonly isMute: boolean;
  /** Whether withdrawals go out without people as a rule. */
  readonly isLenient: boolean;
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
  readonly habits: Readonly<Record<Habit, number>>;
  readonly acts: Readonly<Record<Act, number>>;
}

const LONGEST_DENSE_HOURS = 8;

/**
 * What a life is about. Where everything happens at once, one thing hides another; a search plays them by turns, so
 * that its first lives have met each. `faults`, `habits` and `acts` that match are drawn surely and are strong; of
 * the others there are none, or as many as usual where the theme names none.
 */
interface Theme {
  readonly faults?: RegExp;
  readonly habits?: RegExp;
  readonly acts?: RegExp;
  readonly isMute?: true;
  /** Whether people decide all withdrawals. */
  readonly isStrict?: true;
  /** Hours in which everything is asked for. */
  readonly hours?: number;
}

const NONE = /^$/;
const THEMES: readonly (Theme | null)[] = [
  null,
  // Nothing goes wrong: whatever is odd is told at once, and moves at once.
  {
    faults: NONE,
    habits: /paid|another|goes back|comes back|fails|sentinels|review|returns|refuses/,
    acts: /^(a bank|a payer|a person|an operator|players)/,
  },
  // No callback ever comes. Of what comes back of a payout, some providers have no list: it does not happen.
  {
    faults: NONE,
    habits: /paid|goes back|fails|sentinels/,
    acts: /^(a payment|a payout|an operator)/,
    isMute: true,
  },
  {
    faults: /provider|callback/,
    habits: /sentinels|not paid|at its deadline|late|goes back|returns|comes back/,
    acts: /^(a bank|a callback|an account|a payment|a payer)/,
  },
  {
    faults: /database|PostgreSQL|statement|worker|api|clock/,
    habits: /repeats|reuses|not paid|cancelled|at its deadline|returns/,
    acts: NONE,
  },
  {
    faults: /workflow|history|task|Temporal|evicted|sweep/,
    habits: /not paid|at its deadline|late|twice|goes back|cancelled|returns/,
    acts: /^(a callback|a person)/,
  },
  // People have everything to decide, and stop, list and move.
  {
    faults: NONE,
    habits: /person|people|review|cancel|refuses|another|fails/,
    acts: /^(a player|players|a key|an operation|automatic|a provider|a cash|money|rules|a person)/,
    isStrict: true,
    hours: 3,
  },
  // Money goes back in every way.
  {
    faults: /silent|late|answer of the provider|callback/,
    habits: /goes back|comes back|rest|returns|return of|one return|twice|another amount|late|sentinels/,
    acts: /^(a bank|a payment|a payer|callbacks)/,
  },
  // Days, of which each closes: what nobody ends for so long, and what goes back after it was reconciled.
  {
    faults: /^a sweep|callback/,
    habits: /left processing|at its deadline|goes back|comes back|rest|later day|person returns|cancelled/,
    acts: /^(a bank takes|a cash|money|a payer|an operator)/,
    hours: 54,
  },
];
export const THEME_COUNT = THEMES.length;

/** `undefined`: the theme leaves it to chance. */
const isOf = (names: RegExp | undefined, name: string): boolean | undefined => names?.test(name);

function drawDialects(chance: Chance): Dialects {
  const draw = (slot: LabSlot): DialectName => {
    const part = chance.unit();
    if (part < REAL_DIALECTS.efi) return 'efi';
    return part < REAL_DIALECTS.efi + REAL_DIALECTS.woovi ? 'woovi' : DEFAULT_DIALECTS[slot];
  };
  return { simulator: draw('simulator'), a: draw('a'), b: draw('b') };
}

const beginningOf = (chance: Chance): number => chance.of(BEGINNINGS) + chance.whole(0, 3) * 0.5 * HOUR_MS;

/**
 * @param scale how much happens in a life, compared with a usual one
 * @param number what the life is about, by turns
 */
export function drawMix(chance: Chance, scale = 1, number = 0): Mix {
  const theme = THEMES[number % THEMES.length] ?? null;
  const ownOf = chance.branches();
  // From nothing going wrong to nearly everything.
  const density = chance.is(0.15) ? 0 : chance.unit() ** 1.5;
  const faults = names(FAULTS).flatMap((name) => {
    const [least, most] = FAULTS[name];
    const own = ownOf(name);
    const isDrawn = isOf(theme?.faults, name) ?? own.is(density);
    const intensity = least * (most / least) ** own.unit();
    return isDrawn ? [[name, intensity] as const] : [];
  });
  const habitual = chance.is(0.1) ? 0 : 0.15 + 0.75 * chance.unit();
  const habits = names(HABITS).map((name) => {
    const [least, most] = HABITS[name];
    const own = ownOf(name);
    const isDrawn = isOf(theme?.habits, name) ?? own.is(habitual);
    const intensity = least + (most - least) * own.unit();
    return [name, isDrawn ? intensity : 0] as const;
  });
  const busy = chance.is(0.3) ? 0 : 0.6 * chance.unit();
  const acts = names(ACTS).map((name) => {
    const own = ownOf(name);
    const isDrawn = isOf(theme?.acts, name) ?? own.is(busy);
    const times = own.whole(1, ACTS[name]);
    return [name, isDrawn ? times : 0] as const;
  });
  const slots = chance.of(SLOTS);
  const isIll = theme === null && chance.is(0.15);
  const [beganMs, operations, players] = [beginningOf(chance), chance.whole(1, 2), chance.whole(2, 8)];
  const payments = chance.whole(15, 60);
  const hours = theme?.hours ?? chance.of(theme === null ? [1, 1, 3, 3, 8, 8, 30] : [1, 1, 3, 3, 8]);
  return {
    beganMs,
    operations,
    players,
    // What passes by itself in a life costs the same for many payments. Long lives stay sparse.
    payments: Math.max(1, Math.round(payments * (hours > LONGEST_DENSE_HOURS ? 1 : 2) * scale)),
    hours,
    expiresInSeconds: [300, 600, 1_800],
    haste: 1,
    deposits: 0.4 + 0.4 * chance.unit(),
    slots,
    dialects: drawDialects(chance.branch('dialects')),
    ill: { receiver: isIll && chance.is(0.5), slot: isIll && slots.length > 1 ? (slots.at(-1) ?? null) : null },
    isMute: theme?.isMute === true,
    isLenient: chance.is(theme === null ? 0.5 : 0.75) && theme?.isStrict !== true,
    faults: Object.fromEntries(faults),
    habits: Object.fromEntries(habits) as Record<Habit, number>,
    acts: Object.fromEntries(acts) as Record<Act, number>,
  };
}
