// The report of a run: what was played, what must hold, what the integration did. No secret and no body is in it.
import { z } from 'zod';

const finding = z.strictObject({ expected: z.string(), seen: z.string() });
const note = z.strictObject({ at: z.iso.datetime(), who: z.enum(['kit', 'integration']), text: z.string() });

const checkResult = z.strictObject({
  id: z.string(),
  title: z.string(),
  played: z.string(),
  must_hold: z.string(),
  why: z.string(),
  /** A link: never one that a browser would run. */
  guide: z.string().regex(/^(https?:\/\/[^\s"'<>]+|[\w./-]+)#[\w-]+$/),
  result: z.enum(['passed', 'failed', 'not_run']),
  /** Null if it passed. */
  finding: finding.nullable(),
  took_ms: z.number().int(),
  story: z.array(note),
});

export const reportSchema = z.strictObject({
  form: z.literal(1),
  operator: z.string(),
  run: z.string(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  /** The version of the contract that the checks are about. */
  contract: z.string(),
  pace: z.strictObject({ wait_ms: z.number(), settle_ms: z.number(), recovery_ms: z.number() }),
  requests_seen: z.number().int(),
  /** `incomplete`: nothing failed, but not every check was played. */
  outcome: z.enum(['passed', 'failed', 'incomplete']),
  checks: z.array(checkResult),
});

export type Report = z.output<typeof reportSchema>;
export type CheckResult = z.output<typeof checkResult>;

/** Passed only if every check of the kit was played and passed. */
export function outcomeOf(results: readonly CheckResult[], checksInAll: number): Report['outcome'] {
  if (results.some(({ result }) => result === 'failed')) return 'failed';
  const passed = results.filter(({ result }) => result === 'passed').length;
  return passed === checksInAll ? 'passed' : 'incomplete';
}
