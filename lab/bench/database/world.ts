// One database with an operation and its history, opened by the gateway's own client under observation.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import { createOperation } from '../../../store/operations/provisioning.js';
import { inTransaction } from '../../../store/transactions.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { type HistoryOptions, writeHistory } from './history.js';
import { observeDatabase, type ObservedDatabase } from './observed.js';

export interface World {
  readonly url: string;
  readonly observed: ObservedDatabase;
  /** A second, plain connection that is not observed. */
  readonly client: pg.Client;
  readonly sealer: Sealer;
  readonly operationId: string;
  readonly key: { readonly keyId: string; readonly secret: string };
  close(): Promise<void>;
}

/** Makes the operation in a migrated, empty database and writes its history. `close` leaves the database. */
export async function createWorld(url: string, history: Omit<HistoryOptions, 'operationId'>): Promise<World> {
  const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const observed = observeDatabase(url);
  const close = async () => {
    await observed.close();
    await client.end();
  };
  try {
    const { operationId, key } = await inTransaction(observed.database, (transaction) =>
      createOperation(transaction, sealer, {
        name: 'bench',
        environment: 'sandbox',
        provider: 'simulator',
        webhookUrl: null,
        networks: [],
        by: { handle: 'bench', means: 'claim' },
        rules: parseRuleSetDraft({ currencies: { BRL: {} } }),
      }),
    );
    if (key === null) throw new Error('a sandbox operation has its key at once');
    await writeHistory(client, sealer, { ...history, operationId });
    observed.forget();
    return { url, observed, client, sealer, operationId, key, close };
  } catch (error) {
    await close();
    throw error;
  }
}
