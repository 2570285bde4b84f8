// The activity that reads one page of any list of a provider's account.
import type { SweptPart } from '../../domain/receipts.js';
import { keepPlace, placeOf, sweptAt } from '../../store/account-sweep/marks.js';
import { compareAccount } from './books.js';
import { sweepDisputes } from './disputes.js';
import type { PageToSweep, ReadPage, SweepDependencies } from './page.js';
import { sweepPayouts } from './payouts.js';
import { sweepReceived } from './received.js';
import type { SweepActivities } from './types.js';

export function createSweepActivities(dependencies: SweepDependencies): SweepActivities {
  const { database, providers } = dependencies;
  return {
    async sweepPage({ provider, part, at, begins }) {
      // The schedule of a list that the account had with another dialect stays until it is deleted.
      if (!providers(provider).lists.includes(part)) return { kind: 'refused', reason: 'not_listed' };
      const sweep = { provider, part, at };
      const place = await placeOf(database, sweep, begins);
      const page = await readPage(dependencies, part, { provider, at, ...place });
      const isOver = page.kind === 'refused' || page.next === null;
      // Before the mark moves: a comparison that fails is seen by it, and holds up no payment.
      if (part === 'returns' && isOver)
        await compareAccount(dependencies, { provider, at, last: await sweptAt(database, sweep) });
      if (page.kind === 'refused') return page;
      const { next, found } = page;
      await keepPlace(database, sweep, { span: place.span, cursor: next });
      return { kind: 'page', through: next === null ? place.span.to : null, found };
    },
  };
}

async function readPage(dependencies: SweepDependencies, part: SweptPart, page: PageToSweep): Promise<ReadPage> {
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
}
