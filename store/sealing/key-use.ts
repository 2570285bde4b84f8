// Notes which key the processes seal with: a workflow that began after a key's last use holds nothing that is sealed with it.
import type { Database } from '../database.js';
import type { KeyProvider } from './sealer.js';

/** A process notes its key at least this often. */
export const NOTE_EVERY_MS = 60_000;

/** Notes the current key now. */
export async function noteKeyUse(database: Database, keys: KeyProvider): Promise<void> {
  await database.$executeRaw`
    INSERT INTO sealing_key_use (key_id, first_used_at, last_used_at) VALUES (${keys.current().id}, now(), now())
    ON CONFLICT (key_id) DO UPDATE SET last_used_at = now()`;
}

/** Notes it until stopped. A note that fails is made up for by the next: without Postgres nothing is sealed either. */
export function keepNotingKeyUse(database: Database, keys: KeyProvider): { stop(): void } {
  const note = () =>
    void Promise.resolve()
      .then(() => noteKeyUse(database, keys))
      .catch(() => undefined);
  note();
  const timer = setInterval(note, NOTE_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
