// Who looks at a case. Whoever opens one that nobody has takes it for some minutes, and gives it back on leaving. It
// is advice to others, no lock.
import { useEffect } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { queryClient, read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import type { Case } from './types.js';

type Claim = Answered<'claimCase'>['claim'];

/** A claim is renewed well before it ends. */
const RENEWED_PART = 0.6;

/** Whoever has the case now. */
export function useClaim({ id, status, claim, acts }: Case): Claim {
  const { handle, limits } = useSession();
  const isOthers = claim !== null && claim.person !== handle && Date.parse(claim.until) > Date.now();
  const mayDecide = Object.values(acts).some(({ possible }) => possible);
  const isWanted = status === 'under_review' && mayDecide && !isOthers;
  useEffect(() => {
    if (!isWanted) return;
    void setClaim(id, true);
    const renewal = setInterval(
      () => document.visibilityState === 'visible' && void setClaim(id, true),
      limits.claim_seconds * 1_000 * RENEWED_PART,
    );
    return () => {
      clearInterval(renewal);
      void setClaim(id, false);
    };
  }, [id, isWanted, limits.claim_seconds]);
  return isOthers || claim?.person === handle ? claim : null;
}

async function setClaim(id: string, isClaimed: boolean): Promise<void> {
  const { claim }: { claim: Claim } = await ask('claimCase', { params: { id }, body: { claim: isClaimed } }).catch(
    // Advice only: the decision does not depend on it.
    () => ({ claim: null }),
  );
  if (!isClaimed) return;
  const { queryKey } = read('readCase', { params: { id } });
  queryClient.setQueryData(queryKey, (shown) => (shown === undefined ? shown : { ...shown, claim }));
}
