// The use of keys: which key the processes seal with, and whether a key can be retired. A workflow that began after a
// key's last use holds nothing sealed with it. SQL, for the database's clock.
import type { Database } from '../database.js';
import { countSealed } from './sealed-values.js';
import type { KeyProvider } from './keys.js';

/** Each process records its key at least this often. */
const NOTE_EVERY_MS = 60_000;

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

/** Why a key must stay. */
export type RetirementBlock = 'current' | 'in_use' | 'seals_values' | 'older_workflows_open' | 'never_noted';

export interface KeyStatus {
  readonly id: string;
  readonly sealed: Readonly<Record<string, number>>;
  readonly total: number;
  /** When a process last recorded it as its current key; null if none ever did. */
  readonly lastUsedAt: Date | null;
  /** Open workflows that began while it may have sealed; null if Temporal was not asked. */
  readonly olderWorkflowsOpen: number | null;
  /** Empty if it can be retired. */
  readonly blocks: readonly RetirementBlock[];
}

export interface StatusQuestion {
  readonly currentKeyId: string;
  /** Keys of the configuration, besides those that are found. */
  readonly knownKeyIds: readonly string[];
  /** Counts the payments' open workflows that began before a moment; null: do not ask. */
  readonly openBefore: ((moment: Date) => Promise<number>) | null;
  readonly nowMs: () => number;
}

/** A process that still uses a key has recorded it within this time. */
const SILENCE_MS = 5 * NOTE_EVERY_MS;

/** The status of every key that is configured, recorded or found in a sealed value, by id. */
export async function sealingStatus(database: Database, question: StatusQuestion): Promise<KeyStatus[]> {
  const [counts, uses] = [await countSealed(database), await database.sealingKeyUse.findMany({ take: 1_000 })];
  const ids = [
    ...new Set([question.currentKeyId, ...question.knownKeyIds, ...counts.keys(), ...uses.map(({ keyId }) => keyId)]),
  ].sort();
  const statuses: KeyStatus[] = [];
  for (const id of ids) {
    const sealed = counts.get(id) ?? {};
    const lastUsedAt = uses.find(({ keyId }) => keyId === id)?.lastUsedAt ?? null;
    // A workflow that began a little later may hold a value that was sealed just before.
    const olderWorkflowsOpen =
      lastUsedAt === null || question.openBefore === null
        ? null
        : await question.openBefore(new Date(lastUsedAt.getTime() + 2 * NOTE_EVERY_MS));
    const total = Object.values(sealed).reduce((sum, number) => sum + number, 0);
    statuses.push({
      id,
      sealed,
      total,
      lastUsedAt,
      olderWorkflowsOpen,
      blocks: blocksOf(question, { id, total, lastUsedAt, olderWorkflowsOpen }),
    });
  }
  return statuses;
}

function blocksOf(
  { currentKeyId, nowMs }: StatusQuestion,
  { id, total, lastUsedAt, olderWorkflowsOpen }: Pick<KeyStatus, 'id' | 'total' | 'lastUsedAt' | 'olderWorkflowsOpen'>,
): RetirementBlock[] {
  const blocks: Record<RetirementBlock, boolean> = {
    current: id === currentKeyId,
    in_use: lastUsedAt !== null && nowMs() - lastUsedAt.getTime() < SILENCE_MS,
    seals_values: total > 0,
    // Unknown is not zero: a key that was not asked about stays.
    older_workflows_open: lastUsedAt !== null && olderWorkflowsOpen !== 0,
    never_noted: lastUsedAt === null,
  };
  return (Object.keys(blocks) as RetirementBlock[]).filter((block) => blocks[block]);
}
