// What a search has reached: every state, trigger and fault of the state tables, every activity, alert, habit and act,
// how often. What is never reached is a finding of its own: of the search, or of the product.
import { DEPOSIT_STATUSES, DEPOSIT_TRANSITIONS } from '../domain/payments/deposit.js';
import { WITHDRAWAL_STATUSES, WITHDRAWAL_TRANSITIONS } from '../domain/payments/withdrawal.js';
import type { Reads } from './judge/evidence.js';
import { ACTS, FAULTS, HABITS } from './world/mix.js';

/** Rare things that a long search must meet. */
const SOMETIMES = [
  'a worker replayed a history',
  'an end was refused because something came',
  'a history continued as a new one',
  'two people decided one payment at once',
  'a cancel raced a decision',
  'a payout was written off',
  'a return was entered before its report',
  'a return was entered after its report',
  'money in suspense was credited',
  'a payment in suspense was returned by its provider',
  'money was moved to another account',
  'a cash box was below zero',
  'a worker was killed within a step',
  'an operator read a closed day',
  'a mistake was refused: idempotency_key_reused',
  'a mistake was refused: duplicate_external_id',
] as const;

/** A search of so many payments is long. */
const LONG_SEARCH_PAYMENTS = 20_000;
/** A fault is of a step that comes so soon after it. */
const RECENT_MS = 10 * 60_000;
/** Of a step before which nothing went wrong. */
const CALM = 'nothing';

/** A fault that happened. */
export interface Trouble {
  readonly atMs: number;
  readonly name: string;
}

type Kind = 'activity' | 'sometimes' | 'fault' | 'habit' | 'act' | 'step' | 'cell' | 'asked' | 'alert';

export class Coverage {
  readonly #counts = new Map<string, number>();
  readonly #faults = new WeakMap<object, number>();

  note(kind: Kind, name: string, times = 1): void {
    const key = `${kind}: ${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
  }

  fault(
    world: object & { readonly troubles: Trouble[]; readonly machine: { readonly clock: { readonly nowMs: number } } },
    name: string,
  ): void {
    this.note('fault', name);
    this.#faults.set(world, (this.#faults.get(world) ?? 0) + 1);
    world.troubles.push({ atMs: world.machine.clock.nowMs, name });
  }

  faultsOf(world: object): number {
    return this.#faults.get(world) ?? 0;
  }

  add(counts: Iterable<readonly [string, number]>): void {
    for (const [key, count] of counts) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  get counts(): [string, number][] {
    return [...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** What the tables have and nobody reached, without the cells. */
  get missing(): string[] {
    return EXPECTED.filter((key) => !this.#counts.has(key));
  }

  /** How many of the cells of state × trigger × fault were reached, and of which steps which are missing. */
  get cells(): { readonly reached: number; readonly of: number; readonly missing: readonly string[] } {
    const missing = STEPS.flatMap((step) => {
      const faults = [CALM, ...Object.keys(FAULTS)].filter((fault) => !this.#counts.has(`cell: ${step} | ${fault}`));
      return faults.length === 0 ? [] : [`${step}: ${faults.join(', ')}`];
    });
    const of = STEPS.length * (Object.keys(FAULTS).length + 1);
    return { reached: [...this.#counts.keys()].filter((key) => key.startsWith('cell: ')).length, of, missing };
  }

  /** What a search of so many payments should have met, and has not. */
  unmet(payments: number): string[] {
    return payments < LONG_SEARCH_PAYMENTS ? [] : this.missing.filter((key) => MUST_BE_MET.has(key));
  }
}

/** `deposit pending + expiry`, for every row of the tables. */
const STEPS = [
  ...Object.entries(DEPOSIT_TRANSITIONS).flatMap(([trigger, { from }]) =>
    from.map((state) => `deposit ${state} + ${trigger}`),
  ),
  ...Object.entries(WITHDRAWAL_TRANSITIONS).flatMap(([trigger, { from }]) =>
    from.map((state) => `withdrawal ${state} + ${trigger}`),
  ),
];

/** What people outside may do in any state, also where it does nothing. */
const ASKED = [
  ...DEPOSIT_STATUSES.flatMap((status) => ['cancel', 'payment', 'return'].map((what) => `deposit ${status} + ${what}`)),
  ...WITHDRAWAL_STATUSES.map((status) => `withdrawal ${status} + cancel`),
];

const keysOf = (kind: Kind, names: readonly string[]) => names.map((name) => `${kind}: ${name}`);
const MUST_BE_MET = new Set([
  ...keysOf('step', STEPS),
  ...keysOf('fault', Object.keys(FAULTS)),
  ...keysOf('habit', Object.keys(HABITS)),
  ...keysOf('act', Object.keys(ACTS)),
  ...keysOf('sometimes', SOMETIMES),
]);
const EXPECTED = [...MUST_BE_MET, ...keysOf('asked', ASKED)];

interface Step {
  readonly kind: 'deposit' | 'withdrawal';
  readonly before: string;
  readonly status: string;
  readonly by_list: boolean;
  readonly at_ms: number;
}

/** Counts the steps that the payments of a life took, with the faults before each, and the alerts. */
export async function noteCoverage(database: Reads, coverage: Coverage, troubles: readonly Trouble[]): Promise<void> {
  const steps = await database.query<Step>(
    `SELECT kind, coalesce(before, CASE kind WHEN 'deposit' THEN 'created' ELSE 'requested' END) AS before,
       steps.status, coalesce('BLOCKLIST_HIT_AT_DISPATCH' = ANY (decision_reasons), false) AS by_list, at_ms
     FROM (
       SELECT split_part(type, '.', 1) AS kind, split_part(type, '.', 2) AS status, object_id, object_version,
         lag(split_part(type, '.', 2)) OVER (PARTITION BY object_id ORDER BY object_version) AS before,
         (extract(epoch FROM created_at) * 1000)::float8 AS at_ms
       FROM event WHERE type NOT LIKE 'rules.%'
     ) AS steps LEFT JOIN withdrawal ON withdrawal.id = object_id
     WHERE before IS NOT NULL OR object_version > 1`,
  );
  for (const step of steps) {
    const name = `${step.kind} ${step.before} + ${triggerOf(step)}`;
    coverage.note('step', name);
    const recent = troubles.filter(({ atMs }) => atMs <= step.at_ms && atMs > step.at_ms - RECENT_MS);
    const faults = new Set(recent.map((trouble) => trouble.name));
    for (const fault of faults.size === 0 ? [CALM] : faults) coverage.note('cell', `${name} | ${fault}`);
  }
  for (const { kind, times } of await database.query<{ kind: string; times: number }>(
    'SELECT kind, count(*)::int AS times FROM alert GROUP BY 1',
  ))
    coverage.note('alert', kind, times);
}

/** Which row of the table it was. */
function triggerOf({ kind, before, status, by_list: byList }: Step): string {
  const table: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>> =
    kind === 'deposit' ? DEPOSIT_TRANSITIONS : WITHDRAWAL_TRANSITIONS;
  const found = Object.entries(table).filter(([, { from, to }]) => to === status && from.includes(before));
  const [trigger] = found.find(([name]) => (name === 'blocked_at_dispatch') === byList) ?? found[0] ?? ['?'];
  return trigger;
}
