// What a search has reached: every state, trigger, activity and fault, how often. What is never reached is a finding of
// its own: of the search, or of the product.
import { DEPOSIT_TRANSITIONS } from '../domain/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../domain/withdrawal.js';
import type { LabDatabase } from './database.js';
import { FAULTS, HABITS } from './world/mix.js';

/** Rare things that a long search must meet. */
const SOMETIMES = [
  'a worker replayed a history',
  'an end was refused because something came',
  'a history continued as a new one',
  'two people decided one payment at once',
  'a payout was written off',
  'a worker was killed within a step',
] as const;

export class Coverage {
  readonly #counts = new Map<string, number>();
  readonly #faults = new WeakMap<object, number>();

  note(kind: 'activity' | 'sometimes' | 'fault' | 'habit' | 'step' | 'alert', name: string, times = 1): void {
    const key = `${kind}: ${name}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
  }

  fault(world: object, name: string): void {
    this.note('fault', name);
    this.#faults.set(world, (this.#faults.get(world) ?? 0) + 1);
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

  /** What the tables have and nobody reached. */
  get missing(): string[] {
    return EXPECTED.filter((key) => !this.#counts.has(key));
  }
}

const STEPS = [
  ...Object.values(DEPOSIT_TRANSITIONS).flatMap(({ from, to }) => from.map((state) => `deposit ${state} → ${to}`)),
  ...Object.values(WITHDRAWAL_TRANSITIONS).flatMap(({ from, to }) =>
    from.map((state) => `withdrawal ${state} → ${to}`),
  ),
];

const EXPECTED = [
  ...[...new Set(STEPS)].map((step) => `step: ${step}`),
  ...Object.keys(FAULTS).map((fault) => `fault: ${fault}`),
  ...Object.keys(HABITS).map((habit) => `habit: ${habit}`),
  ...SOMETIMES.map((what) => `sometimes: ${what}`),
];

/** Counts the steps that the payments of a life took, and the alerts. */
export async function noteCoverage(database: LabDatabase, coverage: Coverage): Promise<void> {
  const rows = await database.query<{ step: string; times: number }>(
    `SELECT kind || ' ' || coalesce(before, CASE kind WHEN 'deposit' THEN 'created' ELSE 'requested' END) || ' → ' ||
       status AS step, count(*)::int AS times
     FROM (
       SELECT split_part(type, '.', 1) AS kind, split_part(type, '.', 2) AS status, object_version,
         lag(split_part(type, '.', 2)) OVER (PARTITION BY object_id ORDER BY object_version) AS before
       FROM event
     ) AS steps WHERE before IS NOT NULL OR object_version > 1 GROUP BY 1`,
  );
  for (const { step, times } of rows) coverage.note('step', step, times);
  for (const { kind, times } of await database.query<{ kind: string; times: number }>(
    'SELECT kind, count(*)::int AS times FROM alert GROUP BY 1',
  ))
    coverage.note('alert', kind, times);
}
