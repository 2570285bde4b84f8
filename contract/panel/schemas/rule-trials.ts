// Trials of other thresholds on the last 30 days, and proposals of them.
import { z } from 'zod';
import { NOT_COMPARABLE } from '../../../domain/rules/proof/redecide.js';
import { count, givenReason, instant, money } from './common.js';

/** Thresholds of the rule set by their names; null takes a limit away. */
const thresholdChanges = z.record(
  z.string().max(64),
  z.union([
    z.string().max(64),
    z.number(),
    z.boolean(),
    z.null(),
    z.strictObject({ from: z.string().max(5), to: z.string().max(5) }),
  ]),
);

/** The engine's own thresholds by the names of `ENGINE_SETTINGS`; null turns one off. */
const engineChanges = z.record(
  z.string().max(96),
  z.union([z.string().max(64), z.number(), z.boolean(), z.null(), z.array(z.string().max(64)).max(50)]),
);

const triedChanges = { changes: thresholdChanges.default({}), engine_changes: engineChanges.default({}) };

const changesSomething = ({ changes, engine_changes: engine }: { changes: object; engine_changes: object }) =>
  Object.keys({ ...changes, ...engine }).length > 0;
const NOTHING = { path: ['changes'], error: 'must change something' };

const moved = z.object({ payments: count, amount: money });

export const trialBody = z.strictObject(triedChanges).refine(changesSomething, NOTHING);
/** What the changed thresholds would have done, against what people decided. */
export const trialAnswer = z.object({
  base_version: z.int(),
  from: instant,
  through: instant,
  /** There are older decisions in the 30 days that were not tried. */
  is_cut_off: z.boolean(),
  compared: count,
  /** What could not be decided again, by reason. */
  not_comparable: z.record(z.enum(NOT_COMPARABLE), count),
  /** They waited for people, and would pass by themselves. */
  freed: z.object({ ...moved.shape, approved: count, refused: count, undecided: count }),
  /** They passed, and would wait for people. */
  held: moved,
  /** They passed or waited for people, and would be refused. */
  newly_refused: moved,
  /** They were refused, and would pass or wait for people. */
  no_longer_refused: moved,
  /** Approved withdrawals that were sent at once and would have waited; and the other way round. */
  delayed: moved,
  hastened: moved,
  /** Withdrawals that would need a second person, and that would need none any more. */
  to_two_people: moved,
  from_two_people: moved,
  /** The largest that would pass and that people refused. */
  refused_payments: z.array(z.object({ id: z.string(), amount: money })),
});

export const proposalBody = z
  .strictObject({
    ...triedChanges,
    /** The version that the person saw. */
    base_version: z.int().min(1),
    reason: givenReason,
  })
  .refine(changesSomething, NOTHING);
export const proposed = z.object({ id: z.string() });
