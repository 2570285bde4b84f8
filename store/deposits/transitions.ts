// A deposit's admission and transitions in Postgres, each one statement and safe to repeat.
import { ApplicationFailure } from '@temporalio/activity';
import { presentDeposit } from '../../contract/http/presenters/deposit.js';
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { DepositPayer, DepositSnapshot } from '../../domain/deposit.js';
import type { Database } from '../database.js';
import { Prisma } from '../../prisma/generated/client.js';
import { type DepositRow, depositSnapshot, findDeposit, findDepositWithRequest } from './rows.js';
import { documentHash } from '../sealing/lookup-hashes.js';
import type { SealedDepositRequest, Sealer } from '../sealing/sealer.js';
import { isUniqueViolation } from '../unique-violation.js';
import type {
  Admission,
  DepositAdmissions,
  DepositTransitionInput,
  FoundDeposit,
  StoreActivities,
} from '../../activities/types.js';
import { auditedSql } from '../payments/audited-sql.js';
import { eventsSince } from '../events/published-events.js';
import { effectsSql, sealEvent } from '../payments/transition-sql.js';

type DepositStore = DepositAdmissions & Pick<StoreActivities, 'storeDeposit' | 'loadDeposit'>;
type AdmissionInput = Parameters<DepositAdmissions['admitDeposit']>[0];

export function createDepositStore(database: Database, sealer: Sealer): DepositStore {
  return {
    admitDeposit: (input) => admitDeposit(database, sealer, input),
    storeDeposit: (input) => storeDeposit(database, sealer, input),
    loadDeposit: (input) => loadDeposit(database, input),
  };
}

/** Creates the deposit at version 1 and fixes the player's document at first use. The `external_id` is unique by constraint. */
async function admitDeposit(
  database: Database,
  sealer: Sealer,
  input: AdmissionInput,
): Promise<Admission<FoundDeposit>> {
  const { order, deposit, playerRevision } = input;
  const { player } = sealer.openJson<SealedDepositRequest>(order.sealedRequest);
  const playerDocument = documentHash(sealer, player.document.number);
  const documentSealed = sealer.sealBytes(Buffer.from(JSON.stringify(player.document), 'utf8'));
  const at = deposit.createdAt;
  try {
    const [result] = await database.$queryRaw<{ players: number }[]>`
      WITH player AS (
        INSERT INTO player (operation_id, external_ref, document_hash, document_sealed, created_at)
        VALUES (${order.operationId}, ${order.playerRef}, ${playerDocument}::bytea, ${documentSealed}::bytea, ${at}::timestamptz)
        ON CONFLICT (operation_id, external_ref) DO UPDATE SET revision = player.revision + 1
        WHERE player.document_hash = EXCLUDED.document_hash AND player.revision = coalesce(${playerRevision}::bigint, player.revision)
        RETURNING 1
      ), inserted AS (
        INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref, provider,
          request_sealed, review_reasons, created_at, updated_at, expires_at)
        SELECT ${deposit.id}, ${order.operationId}, ${order.externalId}, ${deposit.status}, 1, ${order.amountMinor}::numeric, ${order.currency},
          'pix', ${order.playerRef}, ${order.provider}, ${Buffer.from(order.sealedRequest, 'base64url')}::bytea, '{}',
          ${at}::timestamptz, ${at}::timestamptz, ${deposit.expiresAt}::timestamptz
        FROM player
      )
      SELECT count(*)::int AS players FROM player`;
    if (result?.players === 1) return { kind: 'admitted', found: null };
    // Where a revision was compared, the rules say at the next decision whether it was the document.
    return settleMissing(database, input, { kind: playerRevision === null ? 'document_mismatch' : 'stale' });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return settleMissing(database, input, { kind: 'stale' });
  }
}

/** Nothing was written: perhaps because it already was (a repeat), or because the `external_id` is taken. */
async function settleMissing(
  database: Database,
  { order, deposit }: AdmissionInput,
  otherwise: Admission<FoundDeposit>,
): Promise<Admission<FoundDeposit>> {
  const existing = await database.deposit.findUnique({
    where: { operationId_externalId: { operationId: order.operationId, externalId: order.externalId } },
    select: { id: true },
  });
  if (existing === null) return otherwise;
  if (existing.id !== order.depositId) return { kind: 'duplicate', existingId: existing.id };
  return { kind: 'admitted', found: await foundDeposit(database, deposit, 0) };
}

/** Stores one transition with its event, entries and alerts. Repeating it changes nothing. */
async function storeDeposit(
  database: Database,
  sealer: Sealer,
  input: DepositTransitionInput,
): Promise<'stored' | FoundDeposit> {
  const { deposit, fromVersion, sealedPayer } = input;
  const payer = sealedPayer === null ? null : sealer.openJson<DepositPayer>(sealedPayer);
  const payerHash = payer?.document ? documentHash(sealer, payer.document.number) : null;
  const body = sealEvent(sealer, input.event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: deposit.updatedAt,
      operationId: deposit.operationId,
      objectId: deposit.id,
      objectVersion: deposit.version,
      object: presentDeposit(deposit, payer),
    }),
  );
  const context = {
    operationId: deposit.operationId,
    objectId: deposit.id,
    currency: deposit.currency,
    at: deposit.updatedAt,
  };
  const [result] = await database.$queryRaw<{ changed: number }[]>`
    WITH changed AS (
      UPDATE deposit SET
        status = ${deposit.status}, version = ${deposit.version}, paid_amount_minor = ${deposit.paidAmountMinor}::numeric,
        payer_sealed = ${sealedPayer === null ? null : Buffer.from(sealedPayer, 'base64url')}::bytea, payer_document_hash = ${payerHash}::bytea,
        copy_paste = ${deposit.instructions?.copyPaste ?? null}, qr_code_png_base64 = ${deposit.instructions?.qrCodePngBase64 ?? null},
        instructions_expires_at = ${deposit.instructions?.expiresAt ?? null}::timestamptz, end_to_end_id = ${deposit.endToEndId},
        failure_code = ${deposit.failureCode}, review_reasons = ${[...deposit.reviewReasons]}::text[],
        decided_by = ${JSON.stringify(deposit.decidedBy)}::jsonb, late_payment = ${deposit.latePayment},
        updated_at = ${deposit.updatedAt}::timestamptz, paid_at = ${deposit.paidAt}::timestamptz, expires_at = ${deposit.expiresAt}::timestamptz
      WHERE id = ${deposit.id} AND operation_id = ${deposit.operationId} AND version = ${fromVersion}
        AND ${notYetStored(input)}
      RETURNING version
    ),
    ${effectsSql(context, input, body)}
    ${auditedSql('deposit', deposit, input.act)}
    SELECT count(*)::int AS changed, (SELECT count(sequence) FROM audited)::int AS audited FROM changed`;
  return result?.changed === 1 ? 'stored' : foundDeposit(database, deposit, fromVersion);
}

/** A change without a new version is recognised by what it moved: its transfer must not exist yet. */
function notYetStored({ deposit, fromVersion, movement }: DepositTransitionInput): Prisma.Sql {
  if (fromVersion < deposit.version || movement === null) return Prisma.sql`TRUE`;
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM ledger_entry WHERE transfer_id = ${movement.transferId})`;
}

/** What an earlier attempt at the same write has stored. */
async function foundDeposit(database: Database, deposit: DepositSnapshot, fromVersion: number): Promise<FoundDeposit> {
  const row = await findDeposit(database, deposit.operationId, deposit.id);
  if (row === null || row.version < deposit.version) {
    throw ApplicationFailure.retryable(
      `deposit ${deposit.id}: version ${deposit.version} does not follow version ${row?.version ?? 0}`,
      'VersionGap',
    );
  }
  return {
    deposit: depositSnapshot(row),
    sealedPayer: sealedPayerOf(row),
    events: await eventsSince(database, deposit.id, fromVersion),
  };
}

function sealedPayerOf({ payerSealed }: DepositRow): string | null {
  return payerSealed === null ? null : payerSealed.toString('base64url');
}

/** The deposit with everything a reopened workflow needs. */
async function loadDeposit(database: Database, { depositId, operationId }: { depositId: string; operationId: string }) {
  const row = await findDepositWithRequest(database, operationId, depositId);
  if (row === null) throw ApplicationFailure.nonRetryable(`deposit ${depositId} does not exist`, 'DepositMissing');
  const operation = await database.operation.findUniqueOrThrow({ where: { id: operationId } });
  const order: DepositOrder = {
    depositId,
    operationId,
    operationName: operation.name,
    environment: operation.environment as DepositOrder['environment'],
    provider: row.provider,
    externalId: row.externalId,
    playerRef: row.playerRef,
    amountMinor: row.amountMinor,
    currency: row.currency,
    expiresInSeconds: Math.round((Date.parse(row.expiresAt) - Date.parse(row.createdAt)) / 1000),
    sealedRequest: row.requestSealed.toString('base64url'),
  };
  return { order, deposit: depositSnapshot(row), sealedPayer: sealedPayerOf(row) };
}
