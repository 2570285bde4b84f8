// A withdrawal's admission and transitions in Postgres, each one statement and safe to repeat.
import { ApplicationFailure } from '@temporalio/activity';
import { presentEvent } from '../../contract/http/presenters/event.js';
import { presentWithdrawal } from '../../contract/http/presenters/withdrawal.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { deviceHash, documentHash, ipHash, pixKeyHash } from '../sealing/lookup-hashes.js';
import { operatorReasonsOf, type SealedWithdrawalRequest, type Sealer, UnsealableError } from '../sealing/sealer.js';
import { isUniqueViolation } from '../unique-violation.js';
import { findWithdrawal, withdrawalSnapshot } from './rows.js';
import type {
  Admission,
  FoundWithdrawal,
  StoreActivities,
  TransitionEffects,
  WithdrawalTransitionInput,
} from '../../activities/types.js';
import { auditedSql } from '../payments/audited-sql.js';
import { automaticUseSql, automaticUseTaken } from '../payments/automatic-use-sql.js';
import { eventsSince } from '../events/published-events.js';
import { counterLockedSql, effectsSql, sealEvent } from '../payments/transition-sql.js';

type WithdrawalStore = Pick<StoreActivities, 'admitWithdrawal' | 'storeWithdrawal' | 'loadWithdrawal'>;
type AdmissionInput = Parameters<StoreActivities['admitWithdrawal']>[0];
type LoadInput = Parameters<StoreActivities['loadWithdrawal']>[0];

export function createWithdrawalStore(database: Database, sealer: Sealer): WithdrawalStore {
  return {
    admitWithdrawal: (input) => admitWithdrawal(database, sealer, input),
    storeWithdrawal: (input) => storeWithdrawal(database, sealer, input),
    loadWithdrawal: (input) => loadWithdrawal(database, sealer, input),
  };
}

/** Creates the withdrawal in its decided state and reserves its money in the same transaction, so that two cannot spend it. */
async function admitWithdrawal(
  database: Database,
  sealer: Sealer,
  input: AdmissionInput,
): Promise<Admission<FoundWithdrawal>> {
  try {
    const [result] = await database.$queryRaw<{ funds: number; inserted: number }[]>(admissionSql(sealer, input));
    if (result?.inserted === 1) return { kind: 'admitted', found: null };
    // With funds there, the player's facts changed, or the operation's automatic cap was used up in between.
    return settleMissing(database, input, { kind: result?.funds === 1 ? 'stale' : 'insufficient_balance' });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return settleMissing(database, input, { kind: 'stale' });
  }
}

/** Nothing was written: perhaps because it already was (a repeat), or because the `external_id` is taken. */
async function settleMissing(
  database: Database,
  { order, withdrawal }: AdmissionInput,
  otherwise: Admission<FoundWithdrawal>,
): Promise<Admission<FoundWithdrawal>> {
  const existing = await database.withdrawal.findUnique({
    where: { operationId_externalId: { operationId: order.operationId, externalId: order.externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  if (existing.id !== order.withdrawalId) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'admitted', found: await foundWithdrawal(database, withdrawal, 0) };
}

function admissionSql(
  sealer: Sealer,
  { order, withdrawal, event, playerRevision, automaticUse }: AdmissionInput,
): Prisma.Sql {
  const request = sealer.openJson<SealedWithdrawalRequest>(order.sealedRequest);
  const { player, destination } = request;
  const hashes = {
    document: documentHash(sealer, player.document.number),
    destination: pixKeyHash(sealer, destination.pix.key, destination.pix.key_type),
    ip: player.ip === undefined ? null : ipHash(sealer, player.ip),
    device: player.device_id === undefined ? null : deviceHash(sealer, player.device_id),
  };
  const { decision } = withdrawal;
  const at = withdrawal.createdAt;
  const effects: TransitionEffects = {
    event,
    movement: { name: 'withdrawal_reserved', amountMinor: order.amountMinor, transferId: `${withdrawal.id}:1` },
    alert: null,
    resolves: [],
  };
  const context = { operationId: order.operationId, objectId: withdrawal.id, currency: order.currency, at };
  const body = sealWithdrawalEvent(sealer, withdrawal, order.sealedRequest, event);
  return Prisma.sql`
    WITH ${counterLockedSql(order.operationId)} funds AS (
      SELECT balance_minor FROM ledger_account, locked
      WHERE operation_id = ${order.operationId} AND currency = ${order.currency} AND account = 'available' AND balance_minor >= ${order.amountMinor}::numeric
      FOR UPDATE OF ledger_account
    ), player AS (
      INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, created_at)
      SELECT ${order.operationId}, ${order.playerRef}, ${hashes.document}::bytea, ${sealer.sealBytes(Buffer.from(JSON.stringify(player.document), 'utf8'))}::bytea, ${at}::timestamptz
      FROM funds
      ON CONFLICT (operation_id, external_ref) DO UPDATE SET revision = player.revision + 1
      WHERE player.document_hash = EXCLUDED.document_hash AND player.revision = coalesce(${playerRevision}::bigint, player.revision)
      RETURNING 1
    ), ${automaticUseSql(order, automaticUse, Prisma.sql`player`)}
    changed AS (
      INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref, provider, request_sealed,
        destination_type, destination_hash, ip_hash, device_hash, decision_mode, decision_reasons, rule_set_version, decided_at, created_at, updated_at)
      SELECT ${withdrawal.id}, ${order.operationId}, ${order.externalId}, ${withdrawal.status}, 1, ${order.amountMinor}::numeric, ${order.currency},
        'pix', ${order.playerRef}, ${order.provider}, ${Buffer.from(order.sealedRequest, 'base64url')}::bytea,
        ${destination.pix.key_type}, ${hashes.destination}::bytea, ${hashes.ip}::bytea, ${hashes.device}::bytea, ${decision.mode},
        ${[...decision.reasons]}::text[], ${decision.ruleSetVersion}, ${decision.decidedAt}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
      FROM player WHERE ${automaticUseTaken(automaticUse)}
      RETURNING version
    ),
    ${effectsSql(context, effects, body)}
    SELECT (SELECT count(*) FROM funds)::int AS funds, (SELECT count(*) FROM changed)::int AS inserted`;
}

/**
 * Stores one transition with its event, entries and alerts. Repeating it changes nothing. What is decided automatically takes its room
 * under the operation's cap first; the operation's counter is locked before, in the order of an admission: the other way round the two could deadlock.
 */
async function storeWithdrawal(
  database: Database,
  sealer: Sealer,
  input: WithdrawalTransitionInput,
): ReturnType<StoreActivities['storeWithdrawal']> {
  const { withdrawal, fromVersion } = input;
  const { decision } = withdrawal;
  const context = {
    operationId: withdrawal.operationId,
    objectId: withdrawal.id,
    currency: withdrawal.currency,
    at: withdrawal.updatedAt,
  };
  const [result] = await database.$queryRaw<{ changed: number; found: number }[]>`
    WITH ${counterLockedSql(withdrawal.operationId)} held AS (
      SELECT id FROM withdrawal, locked WHERE id = ${withdrawal.id} AND operation_id = ${withdrawal.operationId} AND version = ${fromVersion} FOR UPDATE OF withdrawal
    ), ${automaticUseSql(withdrawal, input.automaticUse, Prisma.sql`held`)}
    changed AS (
      UPDATE withdrawal SET
        status = ${withdrawal.status}, version = ${withdrawal.version}, fee_minor = ${withdrawal.feeMinor}::numeric,
        decision_mode = ${decision.mode}, decision_reasons = ${[...decision.reasons]}::text[], rule_set_version = ${decision.ruleSetVersion},
        decided_by = ${JSON.stringify(decision.decidedBy)}::jsonb, decided_at = ${decision.decidedAt}::timestamptz,
        psp_reference = ${withdrawal.pspReference}, failure_code = ${withdrawal.failureCode},
        updated_at = ${withdrawal.updatedAt}::timestamptz, paid_at = ${withdrawal.paidAt}::timestamptz,
        conclusions = ${JSON.stringify(withdrawal.conclusions ?? [])}::jsonb
      FROM held WHERE withdrawal.id = held.id AND ${automaticUseTaken(input.automaticUse)}
      RETURNING version
    ),
    ${effectsSql(context, input, sealWithdrawalEvent(sealer, withdrawal, input.sealedRequest, input.event))}
    ${auditedSql('withdrawal', withdrawal, input.act)}
    SELECT count(*)::int AS changed, (SELECT count(*) FROM held)::int AS found, (SELECT count(sequence) FROM audited)::int AS audited FROM changed`;
  if (result?.changed === 1) return 'stored';
  return result?.found === 1 ? 'cap_reached' : foundWithdrawal(database, withdrawal, fromVersion);
}

function sealWithdrawalEvent(
  sealer: Sealer,
  withdrawal: WithdrawalSnapshot,
  sealedRequest: string,
  event: TransitionEffects['event'],
) {
  return sealEvent(sealer, event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: withdrawal.updatedAt,
      operationId: withdrawal.operationId,
      objectId: withdrawal.id,
      objectVersion: withdrawal.version,
      object: presentWithdrawal(withdrawal, () => operatorReasonsOf(sealer, sealedRequest)),
    }),
  );
}

/** What an earlier attempt at the same write has stored. */
async function foundWithdrawal(
  database: Database,
  withdrawal: WithdrawalSnapshot,
  fromVersion: number,
): Promise<FoundWithdrawal> {
  const row = await findWithdrawal(database, withdrawal.operationId, withdrawal.id);
  if (row === null || row.version < withdrawal.version) {
    throw ApplicationFailure.retryable(
      `withdrawal ${withdrawal.id}: version ${withdrawal.version} does not follow version ${row?.version ?? 0}`,
      'VersionGap',
    );
  }
  return { withdrawal: withdrawalSnapshot(row), events: await eventsSince(database, withdrawal.id, fromVersion) };
}

/** The withdrawal with everything a reopened workflow needs. */
async function loadWithdrawal(database: Database, sealer: Sealer, { withdrawalId, operationId }: LoadInput) {
  const row = await findWithdrawal(database, operationId, withdrawalId);
  if (row === null)
    throw ApplicationFailure.nonRetryable(`withdrawal ${withdrawalId} does not exist`, 'WithdrawalMissing');
  const operation = await database.operation.findUniqueOrThrow({ where: { id: operationId } });
  const order: WithdrawalOrder = {
    withdrawalId,
    operationId,
    operationName: operation.name,
    environment: operation.environment as WithdrawalOrder['environment'],
    provider: row.provider,
    externalId: row.externalId,
    playerRef: row.playerRef,
    amountMinor: row.amountMinor,
    currency: row.currency,
    reviewRequested: row.decisionReasons.includes('OPERATOR_REVIEW_REQUESTED'),
    operatorReasons: countOperatorReasons(sealer, row.requestSealed),
    hasPlayerIp: row.hasPlayerIp,
    destinationType: row.destinationType,
    sealedRequest: row.requestSealed.toString('base64url'),
  };
  return { order, withdrawal: withdrawalSnapshot(row) };
}

/** For the eyes of staff only: a payment whose request cannot be opened any more can still be cancelled or refused. */
function countOperatorReasons(sealer: Sealer, sealedRequest: Uint8Array): number {
  try {
    return displayedOperatorReasons(operatorReasonsOf(sealer, sealedRequest)).length;
  } catch (error) {
    if (error instanceof UnsealableError) return 0;
    throw error;
  }
}
