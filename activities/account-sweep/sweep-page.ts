// The activity that reads one page of any list of a provider's account.
import { spanToSweep } from '../../store/account-sweep/marks.js';
import { sweepDisputes } from './disputes.js';
import type { SweepDependencies } from './page.js';
import { sweepPayouts } from './payouts.js';
import { sweepReceived } from './received.js';
import type { SweepActivities } from './types.js';

export function createSweepActivities(dependencies: SweepDependencies): SweepActivities {
  return {
    async sweepPage({ provider, part, at, span: begun, cursor }) {
      const span = begun ?? (await spanToSweep(dependencies.database, provider, part, at));
      const page = { provider, at, span, cursor };
      switch (part) {
        case 'payments':
        case 'returns':
          return sweepReceived(dependencies, { ...page, part });
        case 'payouts':
        case 'payout_returns':
          return sweepPayouts(dependencies, { ...page, part });
        case 'disputes':
          return sweepDisputes(dependencies, page);
      }
    },
  };
}
