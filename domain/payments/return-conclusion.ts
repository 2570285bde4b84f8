// Concluding a return to the payer that its provider never finishes: two people enter what the provider's statement
// says of it. The provider's own conclusive answer counts before theirs.

/**
 * A provider finishes a return within minutes. People may conclude one this many hours after it was requested.
 * `settleSeconds` after their conclusion it is settled by it, if a look-up then shows neither done nor refused: every
 * call that was under way before has ended by then, and a provider that is silent was asked more than once.
 */
export const RETURN_CONCLUSION_RULES = { hoursAfterRequest: 24, settleSeconds: 15 } as const;

/** Done; or not made, and never going to be. */
export const RETURN_RESULTS = ['done', 'never'] as const;
export type StatedReturnResult = (typeof RETURN_RESULTS)[number];

/** What two people entered, or one in the sandbox. No personal data. */
export interface ReturnConclusion {
  /** The act by which the return was requested: the conclusion is about this return only. */
  readonly returnActId: string;
  readonly result: StatedReturnResult;
  /** Who asked for it. */
  readonly person: string;
  readonly reason: string;
  /** Where the provider states it: a ticket or letter. */
  readonly evidence: string;
  /** When it took effect, RFC 3339. */
  readonly at: string;
}

/** Whether the text is the id of a return in PIX (`D…`), as providers' statements have it. */
export function isReturnId(text: string): boolean {
  return /^D[0-9A-Za-z]{31}$/.test(text);
}

/** The earliest time at which people may conclude a return that was requested at `requestedAt`, RFC 3339. */
export function concludableFrom(requestedAt: string): string {
  return new Date(Date.parse(requestedAt) + RETURN_CONCLUSION_RULES.hoursAfterRequest * 3_600_000).toISOString();
}

/** Whether the return may be settled by the conclusion at this time, unless the provider's answer is conclusive. */
export function isSettling({ at: since }: ReturnConclusion, at: string): boolean {
  return Date.parse(at) - Date.parse(since) >= RETURN_CONCLUSION_RULES.settleSeconds * 1_000;
}
