// What the steps of one kind of payment have in common. Every answer carries the proof of its snapshot, so that what
// the process then answers to a caller can be believed, and what anybody else answers cannot.
import { type PaymentKind, vouchFor } from '../../store/sealing/proofs.js';
import type { Sealer } from '../../store/sealing/sealer.js';

type Step<Dependencies> = (dependencies: Dependencies, input: never) => Promise<unknown>;

/** The steps as workflows call them: with their input only. */
type Callable<Steps> = {
  readonly [Name in keyof Steps]: Steps[Name] extends (dependencies: never, input: infer Input) => infer Answer
    ? (input: Input) => Answer
    : never;
};

/** The steps over what they depend on. Each vouches for what it answers. */
export function answering<
  Dependencies extends { readonly sealer: Sealer },
  Steps extends Readonly<Record<string, Step<Dependencies>>>,
>(kind: PaymentKind, dependencies: Dependencies, steps: Steps): Callable<Steps> {
  const answeringStep = (step: Step<Dependencies>) => async (input: never) => {
    const answer = await step(dependencies, input);
    return isStored(answer) ? { ...answer, state: proven(dependencies.sealer, kind, answer.state) } : answer;
  };
  const named = Object.entries(steps);
  return Object.fromEntries(named.map(([name, step]) => [name, answeringStep(step)])) as Callable<Steps>;
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
