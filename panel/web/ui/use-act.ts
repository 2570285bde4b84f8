// An act: sent once, never optimistic. When its answer is lost the outcome is "unknown", not "failed".
import { useRef, useState } from 'react';
import { type Fault, faultOf, isInDoubt } from '../api/faults.js';

export type ActState<Answer> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly fault: Fault }
  | { readonly kind: 'unknown'; readonly fault: Fault };

export interface Act<Input, Answer> {
  readonly state: ActState<Answer>;
  /** Does nothing while it is under way, done or unknown: a second click or key sends nothing. */
  send(input: Input): Promise<ActState<Answer>>;
  /** Called after the user has seen the result. */
  reset(): void;
}

export function useAct<Input, Answer>(ask: (input: Input) => Promise<Answer>): Act<Input, Answer> {
  const [state, setState] = useState<ActState<Answer>>({ kind: 'idle' });
  // React shows a state later than a second key can follow the first.
  const current = useRef(state);
  const set = (next: ActState<Answer>) => {
    current.current = next;
    setState(next);
    return next;
  };
  return {
    state,
    async send(input) {
      const { kind } = current.current;
      if (kind === 'sending' || kind === 'done' || kind === 'unknown') return current.current;
      set({ kind: 'sending' });
      try {
        return set({ kind: 'done', answer: await ask(input) });
      } catch (error) {
        const fault = faultOf(error);
        return set(isInDoubt(fault) ? { kind: 'unknown', fault } : { kind: 'refused', fault });
      }
    },
    reset: () => void set({ kind: 'idle' }),
  };
}
