// Where sealed values are stored: every sealed column with the key of its row. A value is bound to its place and opens
// nowhere else. A value that crosses Temporal is sealed for the column that it will be stored in. Resealing, its tests
// and docs/operating.md follow this table.
import type { SealingPurpose } from './keys.js';

interface SealedColumnShape {
  /** Whose keys seal it (keys.ts). */
  readonly purpose: SealingPurpose;
  /** A unique key of the table, in order, with the types of its columns. Its values never change. */
  readonly key: Readonly<Record<string, 'text' | 'bytea'>>;
  /** The column with the operation's id; null: the table belongs to no operation. */
  readonly operation: string | null;
}

/** `<table>.<column>`. */
export const SEALED_COLUMNS = {
  'api_key.secret_sealed': { purpose: 'api_keys', key: { key_id: 'text' }, operation: 'operation_id' },
  'webhook_secret.secret_sealed': { purpose: 'webhook_secrets', key: { id: 'text' }, operation: 'operation_id' },
  'list_entry.value_sealed': {
    purpose: 'lists',
    key: { operation_id: 'text', list: 'text', kind: 'text', value_hash: 'bytea' },
    operation: 'operation_id',
  },
  'player.document_sealed': {
    purpose: 'payments',
    key: { operation_id: 'text', external_ref: 'text' },
    operation: 'operation_id',
  },
  'deposit.request_sealed': { purpose: 'payments', key: { id: 'text' }, operation: 'operation_id' },
  'deposit.payer_sealed': { purpose: 'payments', key: { id: 'text' }, operation: 'operation_id' },
  'suspense_item.payer_sealed': {
    purpose: 'payments',
    key: { account: 'text', end_to_end_id: 'text' },
    operation: 'operation_id',
  },
  'withdrawal.request_sealed': { purpose: 'payments', key: { id: 'text' }, operation: 'operation_id' },
  'event.body_sealed': { purpose: 'events', key: { id: 'text' }, operation: 'operation_id' },
  // Its id is given by the insertion, after the sealing.
  'provider_callback.body_sealed': { purpose: 'callbacks', key: { digest: 'bytea' }, operation: null },
  'idempotency_key.response_sealed': {
    purpose: 'responses',
    key: { operation_id: 'text', key: 'text' },
    operation: 'operation_id',
  },
} as const satisfies Readonly<Record<`${string}.${string}`, SealedColumnShape>>;

export type SealedColumnName = keyof typeof SEALED_COLUMNS;

type ValueOf<Type> = Type extends 'text' ? string : Uint8Array;
type KeyOf<Name extends SealedColumnName> = (typeof SEALED_COLUMNS)[Name]['key'];

/** The values of the row's key, without the operation. */
export type RowKey<Name extends SealedColumnName> = {
  readonly [Part in Exclude<keyof KeyOf<Name>, 'operation_id'>]: ValueOf<KeyOf<Name>[Part]>;
};

/** The operation of a value in a table that has no operation column; `null` if the table has one. */
type OperationOf<Name extends SealedColumnName> = (typeof SEALED_COLUMNS)[Name]['operation'] extends string
  ? string
  : null;

/** One place. `identity`: its name and the row's key, as the seal is bound to them. */
export interface Place {
  readonly purpose: SealingPurpose;
  /** `null` for no operation. */
  readonly operationId: string | null;
  readonly identity: readonly string[];
}

/** The place of a value in one row, or of one message. */
export function placeOf<Name extends SealedColumnName>(
  name: Name,
  operationId: OperationOf<Name>,
  key: RowKey<Name>,
): Place {
  return placeOfParts(name, operationId, key as Readonly<Record<string, string | Uint8Array>>);
}

/** The same for a row that was read by its column's entry in the table. Hashes are hexadecimal or bytes. */
export function placeOfParts(
  name: SealedColumnName,
  operationId: string | null,
  key: Readonly<Record<string, string | Uint8Array>>,
): Place {
  const parts = Object.keys(SEALED_COLUMNS[name].key).filter((part) => part !== 'operation_id');
  const { purpose } = SEALED_COLUMNS[name];
  return { purpose, operationId, identity: [name, ...parts.map((part) => partText(key[part]!))] };
}

function partText(part: string | Uint8Array): string {
  return typeof part === 'string' ? part : Buffer.from(part).toString('hex');
}
