// Opens a person's sealed act. Who decides and why is checked here, where the name is readable for the first time.
import { ApplicationFailure } from '@temporalio/activity';
import type { Act, ActText } from '../contract/temporal/payment-steps.js';
import { isPersonName, isReason } from '../domain/people.js';
import { type Sealer, UnsealableError } from '../store/sealing/sealer.js';

export interface OpenedAct {
  readonly actId: string;
  readonly person: string;
  readonly reason: string;
  /** Of a write-off: the provider's written statement; empty in every other act. */
  readonly evidence: string;
}

/** Fails with `InvalidReview`, which no retry helps, if the act names no person or its reason is not one line. */
export function openedAct(sealer: Sealer, { id: actId, sealed }: Act): OpenedAct {
  const { person, reason, evidence = '' } = textOf(sealer, sealed);
  if (typeof person !== 'string' || !isPersonName(person))
    throw invalid('a review needs the name of the person who decides');
  if (typeof reason !== 'string' || !isReason(reason)) throw invalid('a reason is one line of at most 500 characters');
  return { actId, person, reason, evidence };
}

function textOf(sealer: Sealer, sealed: string): Partial<ActText> {
  try {
    return sealer.openJson<Partial<ActText>>(sealed);
  } catch (error) {
    if (error instanceof UnsealableError) throw invalid('the act was not sealed by the gateway');
    throw error;
  }
}

export function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'InvalidReview');
}
