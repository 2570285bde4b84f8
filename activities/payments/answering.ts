// What the steps of one kind of payment have in common. Every answer carries the proof of its snapshot, so that what
// the process then answers to a caller can be believed, and what anybody else answers cannot. A missing row is final.
import { type PaymentKind, vouchFor } from '../../store/sealing/vouched-answers.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { missingRowsAreFinal } from '../missing-rows.js';

type Step = (input: never) => Promise<unknown>;

/** The same steps; each vouches for the state that it answers with, and fails for good without its row. */
export function answering<Steps extends object>(sealer: Sealer, kind: PaymentKind, steps: Steps): Steps {
  const answeringStep = (step: Step) => async (input: never) => {
    const answer = await missingRowsAreFinal(() => step(input));
    return isStored(answer) ? { ...answer, state: proven(sealer, kind, answer.state) } : answer;
  };
  const named = Object.entries(steps as Record<string, Step>);
  return Object.fromEntries(named.map(([name, step]) => [name, answeringStep(step)])) as Steps;
}

interface StoredAnswer {
  readonly state: Readonly<Record<string, unknown>>;
}

function isStored(answer: unknown): answer is StoredAnswer {
  return typeof answer === 'object' && answer !== null && 'state' in answer;
}

function proven(sealer: Sealer, kind: PaymentKind, state: StoredAnswer['state']): StoredAnswer['state'] {
  return { ...state, proof: vouchFor(sealer, kind, state['snapshot'] as Parameters<typeof vouchFor>[2]) };
}
