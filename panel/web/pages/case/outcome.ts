// Looks for the outcome of a decision whose answer was lost: reloads the case until it shows the decision, or gives up.
import { useEffect, useEffectEvent, useState } from 'react';
import { queryClient, read } from '../../api/queries.js';
import type { Case, Decision } from './types.js';

const LOOK_EVERY_MS = 1_500;
const LOOK_FOR_MS = 30_000;

export interface Decided {
  readonly id: string;
  readonly seenVersion: number;
  readonly handle: string;
  readonly decision: Decision;
}

/** `onDone`: this person's decision is there. `not_found`: the payment is as it was. */
export function useOutcome(isUnknown: boolean, decided: Decided, onDone: () => void): 'looking' | 'not_found' {
  const [isOver, setOver] = useState(false);
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
    const until = Date.now() + LOOK_FOR_MS;
    const again = async (): Promise<void> => {
      if (isLeft || (await look()) || isLeft) return;
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

function isDone({ version, decided }: Case, { seenVersion, handle, decision }: Decided): boolean {
  const own = decided.some(({ person, decision: done }) => person === handle && done === decision);
  return own && (version > seenVersion || decision === 'approve');
}
