// Asks the rules engine and accepts only an answer of the agreed shape.
import { ActivityFailure, isCancellation } from '@temporalio/workflow';

export type RulesAnswer<Verdict> =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'invalid' };

/**
 * No answer in time is `unavailable` (RULES_UNAVAILABLE). An answer of another shape is `invalid`
 * (RULES_INVALID_RESPONSE).
 */
export async function askRules<Verdict>(
  ask: () => Promise<Verdict>,
  isVerdict: (value: unknown) => value is Verdict,
): Promise<RulesAnswer<Verdict>> {
  try {
    const answer: unknown = await ask();
    return isVerdict(answer) ? { kind: 'verdict', verdict: answer } : { kind: 'invalid' };
  } catch (error) {
    if (error instanceof ActivityFailure && !isCancellation(error)) return { kind: 'unavailable' };
    throw error;
  }
}
