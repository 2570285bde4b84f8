// Keeps the ids of returns that providers report (`D…`, what a bank statement shows): support is given one and looks
// for the deposit. Beside the payment's own steps: a note that cannot be written fails nothing.
import type { Logger } from 'pino';
import { depositIdOf } from '../../domain/identifiers.js';
import type {
  ChargeLookup,
  Provider,
  ProviderName,
  ProviderRegistry,
  Reversal,
  ReversalOutcome,
} from '../../providers/port.js';
import type { Database } from '../../store/database.js';

/** The same providers; a return that one of them reports is noted under its deposit. */
export function keepingReturnIds(providers: ProviderRegistry, database: Database, logger: Logger): ProviderRegistry {
  const known = new Map<ProviderName, Provider>();
  const note = (reference: string, reversals: readonly Reversal[]) =>
    noteReturns(database, logger, depositIdOf(reference), reversals);
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
    async lookUpCharge(reference): Promise<ChargeLookup> {
      const lookup = await provider.lookUpCharge(reference);
      if (lookup.kind === 'found')
        await note(
          reference,
          lookup.payments.flatMap(({ reversals }) => reversals),
        );
      return lookup;
    },
    // Our reference of a return is its deposit's.
    requestReversal: (request) => ofReversal(request.reference, provider.requestReversal(request)),
    lookUpReversal: (request) => ofReversal(request.reference, provider.lookUpReversal(request)),
  };
}

async function noteReturns(
  database: Database,
  logger: Logger,
  depositId: string,
  reversals: readonly Reversal[],
): Promise<void> {
  const data = reversals.flatMap(({ returnId }) => (returnId === undefined ? [] : [{ returnId, depositId }]));
  if (data.length === 0) return;
  try {
    await database.returnId.createMany({ data, skipDuplicates: true });
  } catch (error) {
    logger.warn(
      { objectId: depositId, fault: error instanceof Error ? error.name : 'unknown' },
      'the id of a return could not be noted',
    );
  }
}
