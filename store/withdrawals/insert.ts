// Inserts a withdrawal in its decided state and reserves its money, in one SQL statement: two withdrawals cannot spend
// the same money, and a repeat changes nothing.
import type { FoundWithdrawal, Insertion, WithdrawalInsertionInput } from '../../contract/temporal/transitions.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { automaticUseSql, automaticUseTaken } from '../payments/automatic-use-sql.js';
import { playerSql } from '../payments/player-sql.js';
import { counterLockedSql, effectsSql } from '../payments/transition-sql.js';
import { deviceHash, ipHash, pixKeyHash } from '../sealing/lookup-hashes.js';
import type { SealedWithdrawalRequest } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';
import { isUniqueViolation } from '../unique-violation.js';
import { sealWithdrawalEvent } from './events.js';
import { foundWithdrawal } from './found.js';

/** `external_id` is unique by constraint. Throws VersionGapError. */
export async function insertWithdrawal(
  database: Database,
  sealer: Sealer,
  input: WithdrawalInsertionInput,
): Promise<Insertion<FoundWithdrawal>> {
  try {
    const [result] = await database.$queryRaw<{ funds: number; inserted: number }[]>(insertionSql(sealer, input));
    if (result?.inserted === 1) return { kind: 'admitted', found: null };
    // With enough funds, the player's facts changed or the operation's automatic cap was used up in the meantime.
    return resultOfMissing(database, input, { kind: result?.funds === 1 ? 'stale' : 'insufficient_balance' });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return resultOfMissing(database, input, { kind: 'stale' });
  }
}

/** Nothing was written: the row exists already (a repeat), the `external_id` is taken, or `otherwise`. */
async function resultOfMissing(
  database: Database,
  { order, withdrawal }: WithdrawalInsertionInput,
  otherwise: Insertion<FoundWithdrawal>,
): Promise<Insertion<FoundWithdrawal>> {
  const existing = await database.withdrawal.findUnique({
    where: { operationId_externalId: { operationId: order.operationId, externalId: order.externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  if (existing.id !== order.withdrawalId) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'admitted', found: await foundWithdrawal(database, withdrawal, 0) };
}

function insertionSql(sealer: Sealer, input: WithdrawalInsertionInput): Prisma.Sql {
  const { order, withdrawal, event, playerRevision, automaticUse } = input;
  const { operationId, playerRef, currency, amountMinor, sealedRequest } = order;
  const request = sealer.openJson<SealedWithdrawalRequest>(sealedRequest);
  const at = withdrawal.createdAt;
  const player = { operationId, playerRef, at, playerRevision };
  const effects = {
    event,
    movement: { name: 'withdrawal_reserved', amountMinor, transferId: `${withdrawal.id}:1` },
    alert: null,
    resolves: [],
  } as const;
  const body = sealWithdrawalEvent(sealer, withdrawal, sealedRequest, event);
  return Prisma.sql`
    WITH ${counterLockedSql(operationId)}
    ${fundsSql(order)},
    ${playerSql(sealer, request.player, player, Prisma.sql`FROM funds`)},
    ${automaticUseSql(order, automaticUse, Prisma.sql`player`)}
    changed AS (
      ${rowSql(sealer, input, request)}
      FROM player WHERE ${automaticUseTaken(automaticUse)}
      RETURNING version
    ),
    ${effectsSql({ operationId, objectId: withdrawal.id, currency, at }, effects, body)}
    SELECT (SELECT count(*) FROM funds)::int AS funds, (SELECT count(*) FROM changed)::int AS inserted`;
}

/** CTE `funds`: the locked balance, if it covers the amount. */
function fundsSql({ operationId, currency, amountMinor }: WithdrawalOrder): Prisma.Sql {
  return Prisma.sql`
    funds AS (
      SELECT balance_minor FROM ledger_account, locked
      WHERE operation_id = ${operationId} AND currency = ${currency} AND account = 'available'
        AND balance_minor >= ${amountMinor}::numeric
      FOR UPDATE OF ledger_account
    )`;
}

/** The row's INSERT … SELECT, without its source. */
function rowSql(
  sealer: Sealer,
  { order, withdrawal }: WithdrawalInsertionInput,
  { player, destination: { pix } }: SealedWithdrawalRequest,
): Prisma.Sql {
  const { decision, createdAt: at } = withdrawal;
  const ip = player.ip === undefined ? null : ipHash(sealer, player.ip);
  const device = player.device_id === undefined ? null : deviceHash(sealer, player.device_id);
  return Prisma.sql`
      INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method,
        player_ref, provider, request_sealed, destination_type, destination_hash, ip_hash, device_hash,
        decision_mode, decision_reasons, rule_set_version, decided_at, created_at, updated_at)
      SELECT ${withdrawal.id}, ${order.operationId}, ${order.externalId}, ${withdrawal.status}, 1,
        ${order.amountMinor}::numeric, ${order.currency}, 'pix', ${order.playerRef},
        ${order.provider}, ${Buffer.from(order.sealedRequest, 'base64url')}::bytea,
        ${pix.key_type}, ${pixKeyHash(sealer, pix.key, pix.key_type)}::bytea, ${ip}::bytea, ${device}::bytea,
        ${decision.mode}, ${[...decision.reasons]}::text[], ${decision.ruleSetVersion},
        ${decision.decidedAt}::timestamptz, ${at}::timestamptz, ${at}::timestamptz`;
}
