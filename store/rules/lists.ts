// Block and review lists of an operation. Values are sealed. A hash of a value's normal form answers whether it is
// listed, so looking values up does not reveal a list. Adding is SQL: one statement checks the operation and ignores a
// repeat.
import {
  documentLookupValue,
  LIST_KINDS,
  type ListKind,
  type ListName,
  LISTS,
  networkLookupValue,
  pixKeyLookupValue,
  WIDEST_PREFIX,
} from '../../domain/rules/lookup-values.js';
import { type DoneBy, nameOf } from '../../domain/staff.js';
import { type ListEntry, Prisma } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import { deviceHash, documentHash, pixKeyHash, playerHash, type Sealer } from '../sealing/sealer.js';
import { rowOf } from '../statements.js';
import { inTransaction, type Transaction } from '../transactions.js';

export type { ListKind, ListName };

/** Input that a list cannot hold. The message starts with the field and never contains the value. */
export class ListEntryError extends Error {
  override readonly name = 'ListEntryError';
  constructor(
    readonly field: 'list' | 'kind' | 'value' | 'operation',
    problem: string,
  ) {
    super(`${field}: ${problem}`);
  }
}

export interface ListEntryInput {
  readonly operationId: string;
  readonly list: string;
  readonly kind: string;
  readonly value: string;
  /** The person who changes the list. */
  readonly person: DoneBy;
  /** Why, without personal data. */
  readonly reason?: string;
  /** It counts until then; by default until it is removed. */
  readonly expiresAt?: Date | null;
}

/** One entry, opened: `value` is its normal form. */
export interface ListedValue {
  readonly list: ListName;
  readonly kind: ListKind;
  readonly value: string;
  readonly createdAt: string;
}

/** Adds a value. False if it is listed already. Throws ListEntryError for bad input or an unknown operation. */
export async function addToList(database: Database, sealer: Sealer, input: ListEntryInput): Promise<boolean> {
  const { list, kind } = checkedList(input);
  const value = normalFormOf(kind, input.value);
  const hash = hashOf(sealer, input.operationId, kind, value);
  const place = placeOf('list_entry.value_sealed', input.operationId, { list, kind, value_hash: hash });
  const { operationId, reason = '', expiresAt = null } = input;
  const sealed = sealer.sealBytes(place, Buffer.from(value, 'utf8'));
  return inTransaction(database, async (transaction) => {
    // One that counts no more makes room.
    await transaction.listEntry.deleteMany({
      where: { operationId, list, kind, valueHash: hash, expiresAt: { lte: new Date() } },
    });
    const addedBy = nameOf(input.person);
    const added = await insertEntry(transaction, { operationId, list, kind, hash, sealed, reason, addedBy, expiresAt });
    if (added) await auditChange(transaction, 'list.add', input, hash);
    return added;
  });
}

interface StoredEntry {
  readonly operationId: string;
  readonly list: ListName;
  readonly kind: ListKind;
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly sealed: Uint8Array<ArrayBuffer>;
  readonly reason: string;
  readonly addedBy: string;
  readonly expiresAt: Date | null;
}

async function insertEntry(
  transaction: Transaction,
  { operationId, list, kind, hash, sealed, reason, addedBy, expiresAt }: StoredEntry,
): Promise<boolean> {
  const [result] = await transaction.$queryRaw<{ known: boolean; added: boolean }[]>`
    WITH known AS (SELECT id FROM operation WHERE id = ${operationId}),
    added AS (
      INSERT INTO list_entry (operation_id, list, kind, value_hash, value_sealed, reason, added_by, expires_at)
      SELECT id, ${list}, ${kind}, ${hash}, ${sealed}, ${reason}, ${addedBy}, ${expiresAt}::timestamptz FROM known
      ON CONFLICT DO NOTHING
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM known) AS known, EXISTS (SELECT FROM added) AS added`;
  if (result?.known !== true) throw new ListEntryError('operation', 'there is no such operation');
  return result.added;
}

/** The value of a stored entry, in its normal form. */
function openListed(sealer: Sealer, row: ListEntry): string {
  const { operationId, list, kind, valueHash: value_hash, valueSealed } = row;
  const place = placeOf('list_entry.value_sealed', operationId, { list, kind, value_hash });
  return sealer.openBytes(place, valueSealed).toString('utf8');
}

/** The start of an entry's keyed hash: identifies the entry without showing its value. */
function entryMark(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex').slice(0, 16);
}

/** The audit trail has the entry's mark instead of its value: it shows that two changes were to the same entry. */
async function auditChange(
  transaction: Transaction,
  action: 'list.add' | 'list.remove',
  { operationId, list, kind, person, reason = '', expiresAt = null }: ListEntryInput,
  hash: Uint8Array,
): Promise<void> {
  const detail = {
    list,
    kind,
    entry: entryMark(hash),
    ...(reason === '' ? {} : { reason }),
    ...(expiresAt === null ? {} : { until: expiresAt.toISOString() }),
  };
  await appendAudit(transaction, { person, action, operationId, subject: operationId, detail });
}

/** Removes a value. False if it was not listed. Throws ListEntryError for bad input. */
export async function removeFromList(database: Database, sealer: Sealer, input: ListEntryInput): Promise<boolean> {
  const { list, kind } = checkedList(input);
  const hash = hashOf(sealer, input.operationId, kind, normalFormOf(kind, input.value));
  return inTransaction(database, async (transaction) => {
    const { count: removed } = await transaction.listEntry.deleteMany({
      where: { operationId: input.operationId, list, kind, valueHash: hash },
    });
    if (removed > 0) await auditChange(transaction, 'list.remove', input, hash);
    return removed > 0;
  });
}

/** The hash, in hex, under which the value is on the list; null if it is not. Throws ListEntryError for bad input. */
export async function listedHash(
  database: Database,
  sealer: Sealer,
  input: Omit<ListEntryInput, 'person'>,
): Promise<string | null> {
  const { list, kind } = checkedList(input);
  const valueHash = hashOf(sealer, input.operationId, kind, normalFormOf(kind, input.value));
  const count = await database.listEntry.count({ where: { operationId: input.operationId, list, kind, valueHash } });
  return count === 0 ? null : Buffer.from(valueHash).toString('hex');
}

/** Removes an entry by its hash, in hex. False if it was not listed. */
export async function removeEntry(
  transaction: Transaction,
  entry: { readonly operationId: string; readonly list: ListName; readonly kind: ListKind; readonly entry: string },
): Promise<boolean> {
  const { operationId, list, kind } = entry;
  const valueHash = Uint8Array.from(Buffer.from(entry.entry, 'hex'));
  const { count } = await transaction.listEntry.deleteMany({ where: { operationId, list, kind, valueHash } });
  return count > 0;
}

/** The operation's entries, opened, oldest first; at most `limit`. */
export async function listEntries(
  database: Database,
  sealer: Sealer,
  operationId: string,
  limit = 1_000,
): Promise<ListedValue[]> {
  const rows = await database.listEntry.findMany({
    where: { operationId },
    orderBy: [{ createdAt: 'asc' }, { list: 'asc' }, { kind: 'asc' }],
    take: limit,
  });
  return rows.map((row) => ({
    list: row.list as ListName,
    kind: row.kind as ListKind,
    value: openListed(sealer, row),
    createdAt: row.createdAt.toISOString(),
  }));
}

/**
 * Whether the player or the player's stored document is on the block list. A hot read, so SQL by the driver
 * (statements.ts).
 */
export async function isPlayerBlocked(database: Database, operationId: string, externalRef: string): Promise<boolean> {
  const row = await rowOf<{ blocked: boolean }>(
    database,
    Prisma.sql`
    SELECT EXISTS (
      SELECT FROM list_entry
      WHERE operation_id = ${operationId} AND list = 'block' AND kind = 'player'
        AND value_hash = ${playerHash(externalRef)} AND coalesce(list_entry.expires_at > now(), TRUE)
    ) OR EXISTS (
      SELECT FROM player
      JOIN list_entry
        ON list_entry.operation_id = player.operation_id AND list = 'block' AND kind = 'document'
        AND value_hash = document_hash AND coalesce(list_entry.expires_at > now(), TRUE)
      WHERE player.operation_id = ${operationId} AND external_ref = ${externalRef}
    ) AS blocked`,
  );
  return row?.blocked === true;
}

function checkedList(input: Pick<ListEntryInput, 'list' | 'kind'>): { list: ListName; kind: ListKind } {
  const list = LISTS.find((name) => name === input.list);
  if (list === undefined) throw new ListEntryError('list', `must be one of ${LISTS.join(', ')}`);
  const kind = LIST_KINDS.find((name) => name === input.kind);
  if (kind === undefined) throw new ListEntryError('kind', `must be one of ${LIST_KINDS.join(', ')}`);
  return { list, kind };
}

const WIDEST = `not wider than /${WIDEST_PREFIX.ipv4} (IPv4) or /${WIDEST_PREFIX.ipv6} (IPv6)`;

/** The normal form of each kind's values; null refuses the value. */
const NORMAL_FORMS: Readonly<
  Record<ListKind, { readonly normalize: (value: string) => string | null; readonly problem: string }>
> = {
  player: {
    normalize: (value) => (/^[A-Za-z0-9_.:-]{1,64}$/.test(value) ? value : null),
    problem: 'must be a player reference: 1 to 64 characters of A-Z, a-z, 0-9, "_", ".", ":" and "-"',
  },
  pix_key: {
    normalize: (value) =>
      /^\S.{0,138}\S$/u.test(value.trim()) && !hasControlCharacters(value) ? pixKeyLookupValue(value) : null,
    problem: 'must be a PIX key of 2 to 140 characters',
  },
  document: {
    normalize: (value) => (/^[0-9A-Z]{11,14}$/.test(documentLookupValue(value)) ? documentLookupValue(value) : null),
    problem: 'must be a CPF (11 digits) or a CNPJ (14 characters), with or without punctuation',
  },
  ip: { normalize: listedNetwork, problem: `must be an IP address or a CIDR network, ${WIDEST}` },
  device: {
    normalize: (value) =>
      value !== '' && value.length <= 128 && value === value.trim() && !hasControlCharacters(value) ? value : null,
    problem: 'must be a device id of 1 to 128 characters without spaces around it',
  },
};

function normalFormOf(kind: ListKind, value: string): string {
  const { normalize, problem } = NORMAL_FORMS[kind];
  const normal = normalize(value);
  if (normal === null) throw new ListEntryError('value', problem);
  return normal;
}

function listedNetwork(value: string): string | null {
  const network = networkLookupValue(value);
  if (network === null) return null;
  const widest = network.includes(':') ? WIDEST_PREFIX.ipv6 : WIDEST_PREFIX.ipv4;
  return Number(network.split('/')[1]) < widest ? null : network;
}

function hasControlCharacters(value: string): boolean {
  return /\p{Cc}/u.test(value);
}

function hashOf(sealer: Sealer, operationId: string, kind: ListKind, normal: string): Uint8Array<ArrayBuffer> {
  switch (kind) {
    case 'player':
      return playerHash(normal);
    case 'document':
      return documentHash(sealer, operationId, normal);
    case 'pix_key':
      return pixKeyHash(sealer, operationId, normal);
    case 'ip':
      return sealer.lookupHash(operationId, 'ip', normal);
    case 'device':
      return deviceHash(sealer, operationId, normal);
  }
}

export interface ListFilter {
  readonly operationId: string;
  readonly list: string | null;
  readonly kind: string | null;
  readonly take: number;
  readonly skip?: number;
}

/**
 * Entries without their values, oldest first, at most `take`: list, kind, the start of the keyed hash (as in the audit
 * trail), the last characters of the value, and who added the entry when, why and until when.
 */
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
