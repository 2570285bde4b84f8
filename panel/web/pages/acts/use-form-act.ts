// A form with one act: it is sent once, when all fields are valid, and shows what is wrong otherwise.
import { useState } from 'react';
import { refreshShown } from '../../api/queries.js';
import { type ActState, useAct } from '../../ui/use-act.js';

export interface FormAct<Answer = unknown> {
  readonly state: ActState<Answer>;
  /** What is wrong with it, once the user has tried to send it. */
  readonly problems: readonly string[];
  /** Whether it could be sent. */
  readonly isOpen: boolean;
  submit(): Promise<void>;
  /** Called after the user has seen the result. */
  reset(): void;
}

export interface FormActOptions<Answer> {
  /** Asks for what was filled in. */
  readonly ask: () => Promise<Answer>;
  readonly problems: readonly string[];
  /** Its subject has changed: nothing is sent before the person has seen the change. */
  readonly isHeld?: boolean;
  readonly onDone: (answer: Answer) => void;
  /** It was refused, or its outcome is unknown. */
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
