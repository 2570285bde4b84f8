// Looks for the outcome of a decision whose answer was lost: asks for the case until it shows the decision, or gives
// up. It does not give up while the processes that decide are away.
import { useEffect, useEffectEvent, useState } from 'react';
import { useLive } from '../../api/live.js';
import { queryClient, read } from '../../api/queries.js';
import type { Case, Decision } from './types.js';

const LOOK_EVERY_MS = 1_500;
const LOOK_FOR_MS = 30_000;
/** At least this long after the processes were seen away. */
const LOOK_ON_MS = 10_000;

export interface CaseOutcome {
  readonly id: string;
  readonly seenVersion: number;
  readonly handle: string;
  readonly decision: Decision;
}

/** `onDone`: this person's decision is there. `not_found`: the payment is as it was. */
export function useOutcome(isUnknown: boolean, decided: CaseOutcome, onDone: () => void): 'looking' | 'not_found' {
  const [isOver, setOver] = useState(false);
  const { counters } = useLive();
  const areProcessesAway = useEffectEvent(() => counters?.processes_answer === false);
  const look = useEffectEvent(async (): Promise<boolean> => {
    const found = await queryClient
      .fetchQuery({ ...read('readCase', { params: { id: decided.id } }), staleTime: 0, retry: false })
      .catch(() => null);
    if (found === null || !isDone(found, decided)) return false;
    onDone();
    return true;
  });
  useEffect(() => {
    if (!isUnknown) return;
    setOver(false);
    let isLeft = false;
    let until = Date.now() + LOOK_FOR_MS;
    const again = async (): Promise<void> => {
      if (isLeft || (await look()) || isLeft) return;
      if (areProcessesAway()) until = Math.max(until, Date.now() + LOOK_ON_MS);
      if (Date.now() > until) return setOver(true);
      setTimeout(() => void again(), LOOK_EVERY_MS);
    };
    void again();
    return () => {
      isLeft = true;
    };
  }, [isUnknown]);
  return isOver ? 'not_found' : 'looking';
}

function isDone({ version, decided }: Case, { seenVersion, handle, decision }: CaseOutcome): boolean {
  const own = decided.some(({ person, decision: done }) => person === handle && done === decision);
  return own && (version > seenVersion || decision === 'approve');
}
