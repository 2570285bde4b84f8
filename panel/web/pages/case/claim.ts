// Who works on a case. Opening an unclaimed case claims it for some minutes; leaving it releases it. A claim informs
// others and locks nothing.
import { useEffect } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { queryClient, read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import type { Case } from './types.js';

type Claim = Answered<'claimCase'>['claim'];

/** A claim is renewed well before it ends. */
const RENEWED_PART = 0.6;

/** The person who has claimed the case. */
export function useClaim({ id, status, claim, acts }: Case): Claim {
  const { handle, limits } = useSession();
  // The panel answers no claim that has ended, and the case is read again every few seconds: no clock is compared here.
  const isOthers = claim !== null && claim.person !== handle;
  const mayDecide = Object.values(acts).some(({ possible }) => possible);
  const isWanted = status === 'under_review' && mayDecide && !isOthers;
  useEffect(() => {
    if (!isWanted) return;
    const take = () => void setClaim(id, true);
    const release = () => void setClaim(id, false);
    const takeAgain = ({ persisted }: PageTransitionEvent) => persisted && take();
    take();
    // A tab that is closed or leaves for another site unmounts nothing.
    window.addEventListener('pagehide', release);
    window.addEventListener('pageshow', takeAgain);
    const renewal = setInterval(
      () => document.visibilityState === 'visible' && take(),
      limits.claim_seconds * 1_000 * RENEWED_PART,
    );
    return () => {
      clearInterval(renewal);
      window.removeEventListener('pagehide', release);
      window.removeEventListener('pageshow', takeAgain);
      release();
    };
  }, [id, isWanted, limits.claim_seconds]);
  return isOthers || claim?.person === handle ? claim : null;
}

async function setClaim(id: string, isClaimed: boolean): Promise<void> {
  const request = { params: { id }, body: { claim: isClaimed } };
  const { claim }: { claim: Claim } = await ask('claimCase', request, { keepalive: !isClaimed }).catch(
    // Advice only: the decision does not depend on it.
    () => ({ claim: null }),
  );
  if (!isClaimed) return;
  const { queryKey } = read('readCase', { params: { id } });
  queryClient.setQueryData(queryKey, (shown) => (shown === undefined ? shown : { ...shown, claim }));
}
