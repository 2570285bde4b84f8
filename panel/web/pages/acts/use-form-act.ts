// A form with one act: it is sent once, when nothing is wrong with what was filled in, and says what is.
import { useState } from 'react';
import { refreshShown } from '../../api/queries.js';
import { type ActState, useAct } from '../../ui/use-act.js';

export interface FormAct<Answer = unknown> {
  readonly state: ActState<Answer>;
  /** What is wrong with it, once somebody has tried to send it. */
  readonly problems: readonly string[];
  /** Whether it could be sent. */
  readonly isOpen: boolean;
  submit(): Promise<void>;
  /** After somebody saw what became of it. */
  reset(): void;
}

export interface FormActOptions<Answer> {
  /** Asks for what was filled in. */
  readonly ask: () => Promise<Answer>;
  readonly problems: readonly string[];
  /** What it is about has changed: nothing is sent before the person has seen it. */
  readonly isHeld?: boolean;
  readonly onDone: (answer: Answer) => void;
  /** It was refused, or nobody knows. */
  readonly onFailed?: () => Promise<void>;
}

export function useFormAct<Answer>(options: FormActOptions<Answer>): FormAct<Answer> {
  const { ask, problems, isHeld = false, onDone, onFailed = refreshShown } = options;
  const [isTried, setTried] = useState(false);
  const { state, send, reset } = useAct(() => ask());
  const isOpen = state.kind === 'idle' && !isHeld;
  return {
    state,
    problems: isTried ? problems : [],
    isOpen,
    reset,
    submit: async () => {
      setTried(true);
      if (!isOpen || problems.length > 0) return;
      const ended = await send(undefined);
      if (ended.kind === 'done') onDone(ended.answer);
      else await onFailed();
    },
  };
}
