// Inserts a withdrawal in its decided state, reserves its money and stores the rules' decision, in one SQL statement:
// two withdrawals cannot spend the same money, and a repeat changes nothing.
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import { newId } from '../../domain/identifiers.js';
import type { AutomaticUse } from '../../domain/rules/automatic-use.js';
import type { WithdrawalRecord } from '../../domain/withdrawal-record.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { SealedTarget } from '../events/deliveries.js';
import { isCashBoxSql } from '../ledger/cash-box-sql.js';
import { automaticUseSql, automaticUseTaken } from '../payments/automatic-use-sql.js';
import { isOrderRefusedSql } from '../payments/refused-orders.js';
import { playerSql } from '../payments/player-sql.js';
import {
  beginAttempt,
  counterLockedSql,
  effectsSql,
  type EventStore,
  type NewEvent,
  targetColumn,
} from '../payments/transition-sql.js';
import { decidedSql, type DecisionRecord } from '../rules/decisions.js';
import { deviceHash, ipHash, pixKeyHash } from '../sealing/lookup-hashes.js';
import { openWithdrawalRequest, type SealedWithdrawalRequest } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';
import { isUniqueViolation } from '../unique-violation.js';
import { rowOf } from '../statements.js';
import { newWithdrawalEvent } from './events.js';
import { type HeldWithdrawal, readWithdrawal } from './held.js';

export interface WithdrawalInsertion {
  readonly order: WithdrawalOrder;
  /** At version 1 and revision 1. */
  readonly record: WithdrawalRecord;
  /** The player's revision that the rules read; `null` if it is not compared. */
  readonly playerRevision: string | null;
  /** For an automatic withdrawal; above a cap the insertion is `stale`. */
  readonly automaticUse: AutomaticUse | null;
  /** The rules' decision; null if they did not decide. */
  readonly decision: DecisionRecord | null;
}

export type InsertedWithdrawal =
  | { readonly kind: 'inserted'; readonly held: HeldWithdrawal }
  /** It was there already: an earlier attempt inserted it. */
  | { readonly kind: 'found'; readonly held: HeldWithdrawal }
  | { readonly kind: 'duplicate'; readonly existingId: string }
  /** The facts of the decision are out of date: decide again. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'insufficient_balance' }
  /** The order was refused before. */
  | { readonly kind: 'order_refused' };

/** `external_id` is unique by constraint. */
export async function insertWithdrawal(store: EventStore, input: WithdrawalInsertion): Promise<InsertedWithdrawal> {
  const { database } = store;
  const event = birthEvent(store, input);
  try {
    const result = await rowOf<Inserted>(database, insertionSql(store.sealer, input, event));
    if (result?.inserted === 1) {
      const held = heldAfter(input, result);
      beginAttempt(store, held.record.snapshot, event, result.target);
      return { kind: 'inserted', held };
    }
    if (result?.isRefused === true) return { kind: 'order_refused' };
    // With enough funds, the player's facts changed or the operation's automatic cap was used up in the meantime.
    return await resultOfMissing(database, input, { kind: result?.funds === 1 ? 'stale' : 'insufficient_balance' });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return resultOfMissing(database, input, { kind: 'stale' });
  }
}

interface Inserted {
  readonly isRefused: boolean;
  readonly funds: number;
  readonly inserted: number;
  readonly updatedAt: string;
  readonly readAt: string;
  readonly target?: SealedTarget | null;
}

/** A `requested` withdrawal is not published. */
function birthEvent(
  store: EventStore,
  { record: { snapshot }, order: { sealedRequest } }: WithdrawalInsertion,
): NewEvent | null {
  const { status } = snapshot;
  const published = status === 'requested' ? null : { id: newId('event'), type: `withdrawal.${status}` };
  return newWithdrawalEvent(store, snapshot, sealedRequest, published);
}

function heldAfter(
  { order: { operatorReasons: _, proof: __, ...order }, record }: WithdrawalInsertion,
  { updatedAt, readAt }: Inserted,
): HeldWithdrawal {
  return { record: { ...record, snapshot: { ...record.snapshot, updatedAt } }, order, readAt };
}

/** Nothing was written: the row exists already (a repeat), the `external_id` is taken, or `otherwise`. */
async function resultOfMissing(
  database: Database,
  { order: { operationId, externalId, withdrawalId: id } }: WithdrawalInsertion,
  otherwise: InsertedWithdrawal,
): Promise<InsertedWithdrawal> {
  const existing = await database.withdrawal.findUnique({
    where: { operationId_externalId: { operationId, externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  if (existing.id !== id) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'found', held: await readWithdrawal(database, { id, operationId }) };
}

function insertionSql(sealer: Sealer, input: WithdrawalInsertion, event: NewEvent | null): Prisma.Sql {
  const { order, record, playerRevision, automaticUse } = input;
  const { operationId, playerRef, currency, amountMinor, provider } = order;
  const { id, createdAt: at } = record.snapshot;
  const request = openWithdrawalRequest(sealer, order);
  const player = { operationId, playerRef, at, playerRevision };
  const effects = {
    movements: [{ name: 'withdrawal_reserved', amountMinor, step: '1', bank: null }],
    alert: null,
    resolves: [],
  } as const;
  return Prisma.sql`
    WITH ${counterLockedSql(operationId, at)}
    ${fundsSql(order)},
    permission AS (SELECT ${isOrderRefusedSql(id)} AS is_refused),
    ${playerSql(sealer, request.player, player, Prisma.sql`FROM funds, permission WHERE NOT is_refused`)},
    ${automaticUseSql(order, automaticUse, Prisma.sql`player`)}
    changed AS (
      ${rowSql(sealer, input, request)}
      FROM player, locked WHERE ${automaticUseTaken(automaticUse)}
      RETURNING version, updated_at
    ),
    ${effectsSql({ operationId, objectId: id, currency, provider, at }, effects, event)}
    ${decidedSql(input.decision, Prisma.sql`changed`)}
    SELECT (SELECT is_refused FROM permission) AS "isRefused", (SELECT count(*) FROM funds)::int AS funds,
      (SELECT count(*) FROM changed)::int AS inserted, (SELECT updated_at FROM changed) AS "updatedAt",
      to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "readAt"
      ${targetColumn(operationId, event)}`;
}

/** CTE `funds`: the locked balance of the account that pays it, if it covers the amount. */
function fundsSql(order: WithdrawalOrder): Prisma.Sql {
  return Prisma.sql`
    funds AS (
      SELECT balance_minor FROM ledger_account, locked
      WHERE ${isCashBoxSql(order)} AND balance_minor >= ${order.amountMinor}::numeric
      FOR UPDATE OF ledger_account
    )`;
}

/** The row's INSERT … SELECT, without its source. */
function rowSql(
  sealer: Sealer,
  { order, record }: WithdrawalInsertion,
  { player, destination: { pix } }: SealedWithdrawalRequest,
): Prisma.Sql {
  const { snapshot, keyOwner, lookupEndToEndId, judgement } = record;
  const { decision, createdAt: at } = snapshot;
  const destination = pixKeyHash(sealer, order.operationId, pix.key, pix.key_type);
  const ip = player.ip === undefined ? null : ipHash(sealer, order.operationId, player.ip);
  const device = player.device_id === undefined ? null : deviceHash(sealer, order.operationId, player.device_id);
  return Prisma.sql`
      INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method,
        player_ref, provider, request_sealed, destination_type, destination_hash, ip_hash, device_hash,
        review_requested, key_owner, lookup_end_to_end_id, judgement,
        decision_mode, decision_reasons, rule_set_version, decided_at, created_at, updated_at)
      SELECT ${snapshot.id}, ${order.operationId}, ${order.externalId}, ${snapshot.status}, 1,
        ${order.amountMinor}::numeric, ${order.currency}, 'pix', ${order.playerRef},
        ${order.provider}, ${Buffer.from(order.sealedRequest, 'base64url')}::bytea,
        ${pix.key_type}, ${destination}::bytea, ${ip}::bytea, ${device}::bytea,
        ${order.reviewRequested}, ${keyOwner}, ${lookupEndToEndId}, ${judgement},
        ${decision.mode}, ${[...decision.reasons]}::text[], ${decision.ruleSetVersion},
        ${decision.decidedAt}::timestamptz, ${at}::timestamptz, locked.changed_at`;
}
