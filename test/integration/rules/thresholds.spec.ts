// Every code of the rules of a creation, from rows in a real database: one below its threshold, at it, and one above.
// The table is data; a rule without a line in it fails the last test.
import assert from 'node:assert/strict';
import { DEPOSIT_RULES } from '../../../domain/rules/deposit-rules.js';
import { WITHDRAWAL_RULES } from '../../../domain/rules/withdrawal-rules.js';
import { AT, World } from './world.js';
import { type Asked, type Line, HITS, EASY } from './threshold-lines.js';
import { DEPOSITS } from './deposit-threshold-lines.js';
import { REFUSALS, REVIEWS } from './withdrawal-threshold-lines.js';

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
