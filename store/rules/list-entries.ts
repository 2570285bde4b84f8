// Entries of block and review lists without their values: list, kind, the start of the keyed hash (as in the audit
// trail), the last characters of the value, and who added the entry when.
import type { Database } from '../database.js';
import { entryMark, openListed } from './lists.js';
import type { Sealer } from '../sealing/sealer.js';

export interface ListFilter {
  readonly operationId: string;
  readonly list: string | null;
  readonly kind: string | null;
  readonly take: number;
  readonly skip?: number;
}

/** Oldest first, at most `take`. */
export async function readListEntries(
  database: Database,
  sealer: Sealer,
  { operationId, list, kind, take, skip = 0 }: ListFilter,
) {
  const rows = await database.listEntry.findMany({
    where: { operationId, ...(list === null ? {} : { list }), ...(kind === null ? {} : { kind }) },
    orderBy: [{ createdAt: 'asc' }, { list: 'asc' }, { kind: 'asc' }, { valueHash: 'asc' }],
    take,
    skip,
  });
  const entries = rows.map((row) => ({
    list: row.list,
    kind: row.kind,
    entry: entryMark(row.valueHash),
    value_ends: ending(openListed(sealer, row)),
    added_at: row.createdAt,
  }));
  const people = await readAdders(database, operationId, entries);
  return entries.map((entry) => ({ ...entry, added_by: people.get(keyOf(entry)) ?? null }));
}

interface Entry {
  readonly list: string;
  readonly kind: string;
  readonly entry: string;
}

/** The same entry, in the list and in the audit trail. */
function keyOf({ list, kind, entry }: Entry): string {
  return `${list}:${kind}:${entry}`;
}

/** The person who added each entry; the later one if it was removed and added again. SQL: details are JSON text. */
async function readAdders(
  database: Database,
  operationId: string,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const acts = await database.$queryRaw<(Entry & { person: string })[]>`
    SELECT person, detail::jsonb ->> 'list' AS list, detail::jsonb ->> 'kind' AS kind, detail::jsonb ->> 'entry' AS entry
    FROM audit_entry
    WHERE subject = ${operationId} AND action = 'list.add'
      AND detail::jsonb ->> 'entry' = ANY(${entries.map(({ entry }) => entry)}::text[])
    ORDER BY sequence`;
  return new Map(acts.map((act) => [keyOf(act), act.person]));
}

const SHOWN = 3;
const SHORTEST = 3 * SHOWN;

/** `…725`: enough to compare with a ticket, too little to reveal a document. */
function ending(value: string): string {
  const characters = [...value];
  return characters.length < SHORTEST ? '…' : `…${characters.slice(-SHOWN).join('')}`;
}
