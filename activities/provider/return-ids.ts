// Stores the ids of returns that providers report (`D…`, shown on bank statements), so that support can find the
// deposit by one. Best effort: the payment continues if an id cannot be stored.
import type { Logger } from 'pino';
import { depositIdOfReturn } from '../../domain/identifiers.js';
import type {
  ChargeLookup,
  Provider,
  AccountName,
  ProviderRegistry,
  Reversal,
  ReversalOutcome,
} from '../../providers/port.js';
import type { Database } from '../../store/database.js';
import { insertReturnIds } from '../../store/payments/deposit/provider-requests.js';

/** The same providers; the ids of returns that they report are stored under their deposits. */
export function keepingReturnIds(providers: ProviderRegistry, database: Database, logger: Logger): ProviderRegistry {
  const known = new Map<AccountName, Provider>();
  const note = (reference: string, reversals: readonly Reversal[]) =>
    noteReturns(database, logger, depositIdOfReturn(reference), reversals);
  return (name) => {
    const provider = known.get(name) ?? keeping(providers(name), note);
    known.set(name, provider);
    return provider;
  };
}

type Note = (reference: string, reversals: readonly Reversal[]) => Promise<void>;

function keeping(provider: Provider, note: Note): Provider {
  const ofReversal = async (reference: string, answer: Promise<ReversalOutcome>) => {
    const outcome = await answer;
    if (outcome.kind === 'accepted') await note(reference, [outcome.reversal]);
    return outcome;
  };
  return {
    ...provider,
    async lookUpCharge(reference, expected): Promise<ChargeLookup> {
      const lookup = await provider.lookUpCharge(reference, expected);
      if (lookup.kind === 'found')
        await note(
          reference,
          lookup.payments.flatMap(({ reversals }) => reversals),
        );
      return lookup;
    },
    // A return has a reference of its deposit.
    requestReversal: (request) => ofReversal(request.reference, provider.requestReversal(request)),
  };
}

async function noteReturns(
  database: Database,
  logger: Logger,
  depositId: string,
  reversals: readonly Reversal[],
): Promise<void> {
  const returns = reversals.flatMap(({ returnId, reference }) =>
    returnId === undefined ? [] : [{ returnId, reference }],
  );
  if (returns.length === 0) return;
  try {
    await insertReturnIds(database, depositId, returns);
  } catch (error) {
    logger.warn(
      { objectId: depositId, fault: error instanceof Error ? error.name : 'unknown' },
      'the id of a return could not be stored',
    );
  }
}
