// Rows with a value in every sealed column, sealed for its place; the value says which column it stands in.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../store/database.js';
import { type Place, placeOfParts, SEALED_COLUMNS, type SealedColumnName } from '../../store/sealing/places.js';
import type { Sealer } from '../../store/sealing/sealer.js';

export const COLUMN_NAMES = Object.keys(SEALED_COLUMNS) as SealedColumnName[];

interface Planted {
  readonly operationId: string;
  /** In every table. */
  readonly rows: number;
}

/** Plants the operation and its rows. Ids begin with the operation's, so that several operations fit. */
export async function plantSealed(database: Database, sealer: Sealer, { operationId, rows }: Planted): Promise<void> {
  await database.operation.create({
    data: { id: operationId, name: 'acme', environment: 'sandbox', provider: 'simulator' },
  });
  for (let index = 0; index < rows; index += 1) {
    const row = rowOf(operationId, index);
    for (const name of COLUMN_NAMES) await INSERTS[name](database, sealer, row);
  }
}

type Row = ReturnType<typeof rowOf>;
type Insert = (database: Database, sealer: Sealer, row: Row) => Promise<unknown>;

function rowOf(operationId: string, index: number) {
  const id = (prefix: string) => `${prefix}_${operationId}_${index}`;
  const hash = new Uint8Array(Buffer.from(`${operationId}-${index}`));
  return { operationId, index, id, hash, ref: `p-${index}`, at: new Date(Date.UTC(2026, 10, 21, 12, index)) };
}

function sealedFor(sealer: Sealer, name: SealedColumnName, row: Row, key: Record<string, string | Uint8Array>) {
  const operationId = SEALED_COLUMNS[name].operation === null ? null : row.operationId;
  return sealer.sealBytes(placeOfParts(name, operationId, key), Buffer.from(name));
}

const PAYMENT = { version: 1, amountMinor: '100', currency: 'BRL', method: 'pix', provider: 'simulator' } as const;

/** A column that is forgotten here does not compile. */
const INSERTS: Readonly<Record<SealedColumnName, Insert>> = {
  'api_key.secret_sealed': (database, sealer, row) => {
    const keyId = row.id('key_test');
    const secretSealed = sealedFor(sealer, 'api_key.secret_sealed', row, { key_id: keyId });
    const { operationId } = row;
    return database.apiKey.create({
      data: { keyId, operationId, environment: 'sandbox', secretSealed, scopes: ['read'] },
    });
  },
  'webhook_secret.secret_sealed': (database, sealer, row) => {
    const id = row.id('s');
    const secretSealed = sealedFor(sealer, 'webhook_secret.secret_sealed', row, { id });
    return database.webhookSecret.create({ data: { id, operationId: row.operationId, secretSealed } });
  },
  'list_entry.value_sealed': (database, sealer, row) => {
    const key = { list: 'block', kind: 'player', value_hash: row.hash };
    const valueSealed = sealedFor(sealer, 'list_entry.value_sealed', row, key);
    const { operationId, hash: valueHash } = row;
    return database.listEntry.create({ data: { operationId, list: 'block', kind: 'player', valueHash, valueSealed } });
  },
  'player.document_sealed': (database, sealer, row) => {
    const documentSealed = sealedFor(sealer, 'player.document_sealed', row, { external_ref: row.ref });
    const { operationId, ref: externalRef, hash: documentHash } = row;
    return database.player.create({ data: { operationId, externalRef, documentHash, documentSealed } });
  },
  'deposit.request_sealed': (database, sealer, row) => {
    const { operationId, ref: playerRef, at } = row;
    const id = row.id('dep');
    const requestSealed = sealedFor(sealer, 'deposit.request_sealed', row, { id });
    const times = { createdAt: at, updatedAt: at, expiresAt: at };
    return database.deposit.create({
      data: { ...PAYMENT, ...times, id, operationId, externalId: id, status: 'pending', playerRef, requestSealed },
    });
  },
  // The row is there: its request stands before it in the table.
  'deposit.payer_sealed': (database, sealer, row) => {
    const id = row.id('dep');
    const payerSealed = sealedFor(sealer, 'deposit.payer_sealed', row, { id });
    return database.deposit.update({ where: { id }, data: { payerSealed } });
  },
  'withdrawal.request_sealed': (database, sealer, row) => {
    const { operationId, ref: playerRef, at, hash: destinationHash } = row;
    const id = row.id('wdr');
    const requestSealed = sealedFor(sealer, 'withdrawal.request_sealed', row, { id });
    const decided = { reviewRequested: false, judgement: 'passed', decisionMode: 'automatic', ruleSetVersion: 1 };
    const destination = { destinationType: 'cpf', destinationHash, playerRef };
    const times = { createdAt: at, updatedAt: at };
    return database.withdrawal.create({
      data: {
        ...PAYMENT,
        ...decided,
        ...destination,
        ...times,
        id,
        operationId,
        externalId: id,
        status: 'approved',
        requestSealed,
      },
    });
  },
  'suspense_item.payer_sealed': (database, sealer, row) => {
    const [account, endToEndId] = ['simulator', row.id('E')];
    const key = { account, end_to_end_id: endToEndId };
    const payerSealed = sealedFor(sealer, 'suspense_item.payer_sealed', row, key);
    const { operationId, at } = row;
    const item = { objectId: row.id('dep'), currency: 'BRL', amountMinor: '1', receivedAt: at, recordedAt: at };
    return database.suspenseItem.create({ data: { account, endToEndId, operationId, ...item, payerSealed } });
  },
  'event.body_sealed': (database, sealer, row) => {
    const id = row.id('evt');
    const bodySealed = sealedFor(sealer, 'event.body_sealed', row, { id });
    const of = { type: 'deposit.pending', objectId: row.id('dep'), objectVersion: 1 };
    const { operationId, index, at: createdAt } = row;
    return database.event.create({ data: { ...of, id, operationId, sequence: index + 1, bodySealed, createdAt } });
  },
  'provider_callback.body_sealed': (database, sealer, row) => {
    const bodySealed = sealedFor(sealer, 'provider_callback.body_sealed', row, { digest: row.hash });
    return database.providerCallback.create({ data: { provider: 'simulator', digest: row.hash, bodySealed } });
  },
  'idempotency_key.response_sealed': (database, sealer, row) => {
    const { operationId, hash: fingerprint, at: lockedAt } = row;
    const key = row.id('key');
    const responseSealed = sealedFor(sealer, 'idempotency_key.response_sealed', row, { key });
    return database.idempotencyKey.create({
      data: { operationId, key, fingerprint, token: randomUUID(), state: 'finished', lockedAt, responseSealed },
    });
  },
};

export interface SealedRow {
  readonly place: Place;
  readonly sealed: Uint8Array;
}

/** Every stored value of a column with the place that its row gives it, in the order of the key. */
export async function readSealed(database: Database, name: SealedColumnName): Promise<SealedRow[]> {
  const [table = '', column = ''] = name.split('.');
  const { key, operation } = SEALED_COLUMNS[name];
  const rows = await database.$queryRawUnsafe<Record<string, string | Uint8Array>[]>(
    `SELECT * FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${Object.keys(key).join(', ')}`,
  );
  return rows.map((row) => ({
    place: placeOfParts(name, operation === null ? null : (row[operation] as string), row),
    sealed: row[column] as Uint8Array,
  }));
}
