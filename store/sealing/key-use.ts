// Records which key the processes seal with: a workflow that began after a key's last use holds nothing sealed with it.
// SQL, for the database's clock.
import type { Database } from '../database.js';
import type { KeyProvider } from './sealer.js';

/** Each process records its key at least this often. */
export const NOTE_EVERY_MS = 60_000;

/** Records the use of the current key now. */
export async function noteKeyUse(database: Database, keys: KeyProvider): Promise<void> {
  await database.$executeRaw`
    INSERT INTO sealing_key_use (key_id, first_used_at, last_used_at) VALUES (${keys.currentId()}, now(), now())
    ON CONFLICT (key_id) DO UPDATE SET last_used_at = now()`;
}

/**
 * Records it until stopped. Failures are ignored: the next record replaces this one, and without Postgres nothing is
 * sealed.
 */
export function keepNotingKeyUse(database: Database, keys: KeyProvider): { stop(): void } {
  const note = () =>
    void Promise.resolve()
      .then(() => noteKeyUse(database, keys))
      .catch(() => undefined);
  note();
  const timer = setInterval(note, NOTE_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
