// Entries of block and review lists without their values: list, kind, the start of the keyed hash (as in the audit
// trail), the last characters of the value, and who added the entry when, why and until when.
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
  return rows.map((row) => ({
    list: row.list,
    kind: row.kind,
    entry: entryMark(row.valueHash),
    value_ends: ending(openListed(sealer, row)),
    added_at: row.createdAt,
    added_by: row.addedBy,
    reason: row.reason,
    expires_at: row.expiresAt,
  }));
}

const SHOWN = 3;
const SHORTEST = 3 * SHOWN;

/** `…725`: enough to compare with a ticket, too little to reveal a document. */
function ending(value: string): string {
  const characters = [...value];
  return characters.length < SHORTEST ? '…' : `…${characters.slice(-SHOWN).join('')}`;
}
