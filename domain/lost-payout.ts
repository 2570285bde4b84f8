// A payout whose one send was lost: what the gateway must have seen before two people may conclude that the provider never accepted it,
// and how the second person's word follows the first's.
import { isSamePerson } from './people.js';

/**
 * The conditions. A provider shows a payout that it has taken in within minutes; a day without a trace, at every look, is what
 * people need before they even ask. A request that nobody confirms lapses.
 */
export const LOST_PAYOUT_RULES = { lookUpsWithoutTrace: 10, hoursWithoutTrace: 24, requestHours: 24 } as const;

/** The failure code of a withdrawal that ended so. */
export const NEVER_ACCEPTED = 'psp_never_accepted';

/** One person's part. `evidence` names what the provider has put in writing: a ticket, a letter; both must name the same. */
export interface ConclusionAct {
  readonly person: string;
  readonly decision: 'request_conclusion' | 'confirm_conclusion';
  readonly reason: string;
  readonly evidence: string;
  /** RFC 3339. */
  readonly at: string;
}

/** What look-ups have shown of it in a row. */
export interface Tracelessness {
  readonly lookUps: number;
  /** When the first of them found nothing; null before. */
  readonly since: string | null;
}

export type ConclusionStep =
  | { readonly kind: 'request' | 'confirm' }
  /** `notBefore`: when the time is over, if nothing is found until then; null before the first look-up. */
  | { readonly kind: 'too_early'; readonly lookUps: number; readonly notBefore: string | null }
  /** The request is by the same person; another one must confirm it. */
  | { readonly kind: 'same_person'; readonly requestedBy: string }
  /** The pending request names other evidence. */
  | { readonly kind: 'other_evidence' };

/** What a person's word is, given what was seen and the request that waits for a second person. */
export function conclusionStep(
  word: { readonly person: string; readonly evidence: string },
  { traceless, pending, at }: { traceless: Tracelessness; pending: ConclusionAct | null; at: string },
): ConclusionStep {
  const { lookUps, since } = traceless;
  const notBefore = since === null ? null : hoursAfter(since, LOST_PAYOUT_RULES.hoursWithoutTrace);
  if (notBefore === null || lookUps < LOST_PAYOUT_RULES.lookUpsWithoutTrace || at < notBefore)
    return { kind: 'too_early', lookUps, notBefore };
  if (pending === null || at >= lapseOf(pending)) return { kind: 'request' };
  const isSame = isSamePerson(pending.person, word.person);
  // Whoever asked may name other evidence; that is a new request.
  if (pending.evidence !== word.evidence) return isSame ? { kind: 'request' } : { kind: 'other_evidence' };
  return isSame ? { kind: 'same_person', requestedBy: pending.person } : { kind: 'confirm' };
}

/** When a request lapses that nobody confirms. */
export function lapseOf({ at }: ConclusionAct): string {
  return hoursAfter(at, LOST_PAYOUT_RULES.requestHours);
}

function hoursAfter(instant: string, hours: number): string {
  return new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
}
