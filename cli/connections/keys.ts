// Loads the sealing keys for one command, from the environment, a file or the vault.
import { readSecrets } from '../../platform/config/cli.js';
import { openKeys } from '../../store/sealing/open-keys.js';
import { createTransit, type Transit } from '../../store/sealing/transit.js';
import { Sealer } from '../../store/sealing/sealer.js';
import { KeysUnavailableError } from '../../store/sealing/keys.js';
import { badInput, refused } from '../problem.js';
import { withDatabase } from './database.js';

const READ_TIMEOUT_MS = 10_000;

/** A sealer with the keys as they are now. */
export async function openSealer(environment: NodeJS.ProcessEnv): Promise<Sealer> {
  const { keys: source } = readSecrets(environment);
  if (source.kind === 'held') return new Sealer(source.keys);
  return withDatabase(environment, READ_TIMEOUT_MS, async (database) => {
    const keys = openKeys(source, database);
    try {
      await keys.ready();
      return new Sealer(keys.snapshot());
    } catch (error) {
      throw refused(
        error instanceof KeysUnavailableError
          ? error.message
          : 'the vault does not give the keys: look at GATEWAY_VAULT_URL, its key and the token',
      );
    } finally {
      await keys.close();
    }
  });
}

/** Runs `work` with the vault's Transit engine. Throws a CommandProblem if the keys are not in a vault. */
export async function withTransit<Result>(
  environment: NodeJS.ProcessEnv,
  work: (transit: Transit) => Promise<Result>,
): Promise<Result> {
  const { keys: source } = readSecrets(environment);
  if (source.kind !== 'vault')
    throw badInput('GATEWAY_KEY_PROVIDER', 'must be vault: keys of the environment or of a file are changed there');
  const transit = createTransit(source.transit);
  try {
    return await work(transit);
  } finally {
    await transit.close();
  }
}
