// Erases a person from the data of an operation. The payments, their ledger entries and events stay, without the
// person's identity (docs/retention.md). SQL, because a role may change sealed values only through the two functions
// that are called here.
import { CLOSED_DEPOSIT_STATUSES } from '../../domain/payments/deposit.js';
import { CLOSED_WITHDRAWAL_STATUSES } from '../../domain/payments/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import { type Place, placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Transaction } from '../transactions.js';
import {
  ERASED,
  redactedDepositRequest,
  redactedEvent,
  redactedObject,
  redactedPayer,
  redactedWithdrawalRequest,
} from './redaction.js';

export interface PlayerName {
  readonly operationId: string;
  /** The operator's reference. It identifies a person only with the operator's own data. */
  readonly externalRef: string;
}

export type PlayerErased =
  | { readonly kind: 'done'; readonly payments: number }
  | { readonly kind: 'no_such_player' | 'payments_open' };

/**
 * Erases the person. Erasing again changes only what came later, for example the webhook of an old event.
 * `payments_open`: a payment still needs the person; cancel it or wait for its end.
 */
export async function erasePlayer(transaction: Transaction, sealer: Sealer, player: PlayerName): Promise<PlayerErased> {
  const place = placeOf('player.document_sealed', player.operationId, { external_ref: player.externalRef });
  const document = sealer.sealBytes(place, Buffer.from(JSON.stringify({ number: ERASED }), 'utf8'));
  const [row] = await transaction.$queryRaw<{ outcome: 'erased' | 'no_such_player' | 'payments_open' }[]>`
    SELECT erase_player(${player.operationId}, ${player.externalRef}, ${document}::bytea,
      ${[...CLOSED_DEPOSIT_STATUSES]}::text[], ${[...CLOSED_WITHDRAWAL_STATUSES]}::text[]) AS outcome`;
  if (row === undefined) throw new Error('erase_player answered nothing');
  if (row.outcome !== 'erased') return { kind: row.outcome };
  let payments = 0;
  for (const column of columnsOf(player)) {
    const changed = await eraseColumn(transaction, sealer, player, column);
    if (column.name.endsWith('.request_sealed')) payments += changed;
  }
  return { kind: 'done', payments };
}

/**
 * Whether a payment of the player is open, and whether the player exists, for the answer to the person who requests the
 * erasure.
 */
export async function refusalToErase(
  transaction: Transaction,
  { operationId, externalRef }: PlayerName,
): Promise<Exclude<PlayerErased, { kind: 'done' }> | null> {
  const where = { operationId_externalRef: { operationId, externalRef } };
  if ((await transaction.player.findUnique({ where, select: { createdAt: true } })) === null)
    return { kind: 'no_such_player' };
  const own = { operationId, playerRef: externalRef };
  const open =
    (await transaction.deposit.findFirst({
      where: { ...own, status: { notIn: [...CLOSED_DEPOSIT_STATUSES] } },
      select: { id: true },
    })) ??
    (await transaction.withdrawal.findFirst({
      where: { ...own, status: { notIn: [...CLOSED_WITHDRAWAL_STATUSES] } },
      select: { id: true },
    }));
  return open === null ? null : { kind: 'payments_open' };
}

interface ErasedColumn {
  readonly name: string;
  /** Rows of the player after a key, in the order of the keys. */
  readonly rows: (after: string, limit: number) => Prisma.Sql;
  readonly place: (key: string) => Place;
  readonly redact: (value: never) => unknown;
}

function columnsOf({ operationId, externalRef }: PlayerName): readonly ErasedColumn[] {
  const ofTable = (table: string, column: string) => (after: string, limit: number) =>
    Prisma.sql`
    SELECT id AS key, ${Prisma.raw(column)} AS sealed FROM ${Prisma.raw(table)}
    WHERE operation_id = ${operationId} AND player_ref = ${externalRef} AND ${Prisma.raw(column)} IS NOT NULL
      AND id > ${after} ORDER BY id LIMIT ${limit}`;
  const payments = Prisma.sql`(
    SELECT id FROM deposit WHERE operation_id = ${operationId} AND player_ref = ${externalRef}
    UNION ALL SELECT id FROM withdrawal WHERE operation_id = ${operationId} AND player_ref = ${externalRef})`;
  return [
    {
      name: 'deposit.request_sealed',
      rows: ofTable('deposit', 'request_sealed'),
      place: (id) => placeOf('deposit.request_sealed', operationId, { id }),
      redact: redactedDepositRequest,
    },
    {
      name: 'deposit.payer_sealed',
      rows: ofTable('deposit', 'payer_sealed'),
      place: (id) => placeOf('deposit.payer_sealed', operationId, { id }),
      redact: redactedPayer,
    },
    {
      name: 'suspense_item.payer_sealed',
      rows: (after, limit) => Prisma.sql`
        SELECT account || ' ' || end_to_end_id AS key, payer_sealed AS sealed FROM suspense_item
        WHERE operation_id = ${operationId} AND object_id IN ${payments} AND payer_sealed IS NOT NULL
          AND account || ' ' || end_to_end_id > ${after}
        ORDER BY 1 LIMIT ${limit}`,
      place: (key) => {
        const [account = '', payment = ''] = key.split(' ');
        return placeOf('suspense_item.payer_sealed', operationId, { account, end_to_end_id: payment });
      },
      redact: redactedPayer,
    },
    {
      name: 'withdrawal.request_sealed',
      rows: ofTable('withdrawal', 'request_sealed'),
      place: (id) => placeOf('withdrawal.request_sealed', operationId, { id }),
      redact: redactedWithdrawalRequest,
    },
    {
      name: 'event.body_sealed',
      rows: (after, limit) => Prisma.sql`
        SELECT id AS key, body_sealed AS sealed FROM event
        WHERE operation_id = ${operationId} AND object_id IN ${payments} AND id > ${after}
        ORDER BY id LIMIT ${limit}`,
      place: (id) => placeOf('event.body_sealed', operationId, { id }),
      redact: redactedEvent,
    },
    {
      name: 'idempotency_key.response_sealed',
      rows: (after, limit) => Prisma.sql`
        SELECT key, response_sealed AS sealed FROM idempotency_key
        WHERE operation_id = ${operationId} AND coalesce(object_id, subject_id) IN ${payments}
          AND response_sealed IS NOT NULL AND key > ${after}
        ORDER BY key LIMIT ${limit}`,
      place: (key) => placeOf('idempotency_key.response_sealed', operationId, { key }),
      redact: redactedObject,
    },
  ];
}

const BATCH = 500;

/** Answers the number of changed rows. */
async function eraseColumn(
  transaction: Transaction,
  sealer: Sealer,
  { operationId, externalRef }: PlayerName,
  { name, rows, place, redact }: ErasedColumn,
): Promise<number> {
  let changed = 0;
  for (let after = ''; ;) {
    const batch = await transaction.$queryRaw<{ key: string; sealed: Uint8Array }[]>(rows(after, BATCH));
    if (batch.length > 0) {
      const keys = batch.map(({ key }) => key);
      const fresh = batch.map(({ key, sealed }) => {
        const value = JSON.parse(sealer.openBytes(place(key), sealed).toString('utf8')) as never;
        return sealer.sealBytes(place(key), Buffer.from(JSON.stringify(redact(value)), 'utf8'));
      });
      await transaction.$queryRaw`
        SELECT erase_sealed(${operationId}, ${externalRef}, ${name}, ${keys}::text[], ${fresh}::bytea[]) AS changed`;
      changed += batch.length;
    }
    if (batch.length < BATCH) return changed;
    after = batch.at(-1)!.key;
  }
}
