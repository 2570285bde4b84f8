// Attempts to sign in: limited, and noted in the audit trail where they are refused.
import type { PanelMeans } from '../domain/staff.js';
import { attempt } from './limits.js';
import { isRefusal, type Refusal } from './refusal.js';
import type { PanelServices } from './services.js';

interface Attempt {
  readonly means: PanelMeans;
  readonly address: string;
  /** Whose code or passkey it is made with; `null`: nobody's. */
  readonly personOf?: () => Promise<string | null>;
}

/** The person whom an attempt turned out to be about. */
interface SignInAttempt {
  person: string | null;
}

/** Answers the attempt by `work`, unless there are too many. What is refused is noted. */
export async function attempted<Answer>(
  services: PanelServices,
  { means, address, personOf = () => Promise.resolve(null) }: Attempt,
  work: (about: SignInAttempt) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  const about: SignInAttempt = { person: null };
  const limited = await attempt(services, address, async () => (about.person = await personOf()));
  const answer = limited ?? (await work(about));
  if (isRefusal(answer)) await services.refusedSignIns.note({ means, person: about.person, reason: answer.refused });
  return answer;
}
