// Stores a change of a deposit with its event, ledger entries, alerts, act and decision, in one SQL statement:
// everything if the row is unchanged since it was read, otherwise nothing.
import { presentDeposit } from '../../contract/http/presenters/deposit.js';
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import { returnedMinor } from '../../domain/bank-movements.js';
import { DEPOSIT_TRANSITIONS, type DepositPayer, type DepositSnapshot } from '../../domain/deposit.js';
import { changed, type DepositChange, movementsOf, resolvedBy } from '../../domain/deposit-record.js';
import { newId } from '../../domain/identifiers.js';
import type { LedgerTransfer } from '../../domain/ledger.js';
import { Prisma } from '../../prisma/generated/client.js';
import { unlessTaken } from '../ledger/bank-movements.js';
import { auditedSql } from '../payments/audited-sql.js';
import type { SealedTarget } from '../events/deliveries.js';
import {
  beginAttempt,
  counterLockedSql,
  effectsSql,
  type EventStore,
  type NewEvent,
  newEvent,
  targetColumn,
} from '../payments/transition-sql.js';
import { decidedSql, type DecisionRecord } from '../rules/decisions.js';
import { documentHash } from '../sealing/lookup-hashes.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { usedActSql } from '../staff/acts.js';
import { rowOf } from '../statements.js';
import type { KeptDeposit } from './read.js';

export interface DepositWrite {
  /** The deposit as it was read. */
  readonly kept: KeptDeposit;
  readonly change: DepositChange;
  /** Workflow time, RFC 3339. */
  readonly at: string;
  /** The decision that the change follows from, if there is one. */
  readonly decision: DecisionRecord | null;
}

/** The deposit after the change, and the event that it publishes. */
export interface DepositWritten {
  readonly kept: KeptDeposit;
  readonly event: PublishedEvent | null;
}

/**
 * @returns the deposit after the change; `null` if the row changed since it was read: then nothing is stored, and the
 * caller reads it again. Throws MovementTakenError if another deposit has its payment
 */
export async function storeDepositChange(store: EventStore, write: DepositWrite): Promise<KeptDeposit | null> {
  const { kept, event } = writtenBy(write);
  const toStore = newDepositEvent(store, kept, event);
  const movements = movementsOf(kept.snapshot, write.change);
  const answer = rowOf<Stored>(store.database, transitionSql(store, write, kept, movements, toStore));
  const result = await unlessTaken(store.database, kept.snapshot, movements, answer);
  if (result?.changed !== 1) return null;
  const snapshot = { ...kept.snapshot, updatedAt: result.updatedAt };
  beginAttempt(store, snapshot, toStore, result.target);
  return { ...kept, snapshot };
}

interface Stored {
  readonly changed: number;
  readonly updatedAt: string;
  readonly target?: SealedTarget | null;
}

/** The deposit after the write, with the time of the step. The event's id is new each time. */
export function writtenBy({ kept, change, at }: DepositWrite): DepositWritten {
  const { trigger, sealedPayer = kept.sealedPayer } = change;
  return {
    kept: { ...kept, ...changed(kept, change, at), sealedPayer },
    event: trigger === null ? null : { id: newId('event'), type: DEPOSIT_TRANSITIONS[trigger].event },
  };
}

function transitionSql(
  { sealer }: EventStore,
  write: DepositWrite,
  kept: KeptDeposit,
  movements: readonly LedgerTransfer[],
  event: NewEvent | null,
): Prisma.Sql {
  const { change, decision } = write;
  const { snapshot } = kept;
  const { operationId, id: objectId, currency, provider, updatedAt: at } = snapshot;
  const effects = {
    movements,
    alert: change.alert ?? null,
    resolves: resolvedBy(write.kept, change),
  };
  return Prisma.sql`
    WITH ${counterLockedSql(operationId, at)}
    ${heldSql(write)}changed AS (${updateSql(sealer, write, kept)}),
    ${effectsSql({ operationId, objectId, currency, provider, at }, effects, event)}
    ${auditedSql('deposit', snapshot, change.act, change.uses)}${decidedSql(decision, Prisma.sql`changed`)}
    SELECT count(*)::int AS changed, max(updated_at) AS "updatedAt", (SELECT count(sequence) FROM audited)::int AS audited
      ${targetColumn(operationId, event)}
    FROM changed`;
}

/** The CTEs before the update of a change that does a person's act: the row is locked, then the act is used up. */
function heldSql({ kept: { snapshot, revision }, change: { uses } }: DepositWrite): Prisma.Sql {
  if (uses === undefined) return Prisma.empty;
  const { id, operationId } = snapshot;
  return Prisma.sql`
    held AS (
      SELECT id FROM deposit, locked
      WHERE id = ${id} AND operation_id = ${operationId} AND revision = ${revision}
      FOR UPDATE OF deposit
    ),
    ${usedActSql(uses, snapshot)}
    `;
}

/** The payer is written once: rewriting it would undo a resealing of the row. */
function updateSql(sealer: Sealer, { kept: before, change }: DepositWrite, after: KeptDeposit): Prisma.Sql {
  const { snapshot: deposit, returnRequest } = after;
  const { instructions } = deposit;
  const { sealedPayer = null } = change;
  const payerSealed = sealedPayer === null ? null : Buffer.from(sealedPayer, 'base64url');
  const payer = openPayer(sealer, deposit, sealedPayer);
  const payerHash = payer?.document ? documentHash(sealer, deposit.operationId, payer.document.number) : null;
  return Prisma.sql`
      UPDATE deposit SET
        status = ${deposit.status},
        version = ${deposit.version},
        revision = ${after.revision},
        paid_amount_minor = ${deposit.paidAmountMinor}::numeric,
        payer_sealed = coalesce(${payerSealed}::bytea, payer_sealed),
        payer_document_hash = coalesce(${payerHash}::bytea, payer_document_hash),
        copy_paste = ${instructions?.copyPaste ?? null},
        qr_code_png_base64 = ${instructions?.qrCodePngBase64 ?? null},
        instructions_expires_at = ${instructions?.expiresAt ?? null}::timestamptz,
        end_to_end_id = ${deposit.endToEndId},
        failure_code = ${deposit.failureCode},
        review_reasons = ${[...deposit.reviewReasons]}::text[],
        decided_by = ${JSON.stringify(deposit.decidedBy)}::jsonb,
        return_request = ${returnRequest === null ? null : JSON.stringify(returnRequest)}::jsonb,
        returns = ${after.returns},
        extra_payments = ${[...after.extraPayments]}::text[],
        fees = ${JSON.stringify(after.fees)}::jsonb,
        returned_parts = ${JSON.stringify(after.returnedParts)}::jsonb,
        returned_minor = ${returnedMinor(after.returnedParts, deposit.endToEndId).toString()}::numeric,
        suspense_credits = ${JSON.stringify(after.suspenseCredits)}::jsonb,
        return_in_doubt = ${after.isReturnInDoubt},
        late_payment = ${deposit.latePayment},
        contract = coalesce(${change.contract ?? null}, contract),
        updated_at = locked.changed_at,
        paid_at = ${deposit.paidAt}::timestamptz,
        expires_at = ${deposit.expiresAt}::timestamptz
      FROM locked
      WHERE id = ${deposit.id} AND operation_id = ${deposit.operationId} AND revision = ${before.revision}
        ${change.uses === undefined ? Prisma.empty : Prisma.sql`AND EXISTS (SELECT FROM used)`}
      RETURNING version, updated_at`;
}

function openPayer(
  sealer: Sealer,
  { id, operationId }: DepositSnapshot,
  sealedPayer: string | null,
): DepositPayer | null {
  if (sealedPayer === null) return null;
  return sealer.openJson<DepositPayer>(placeOf('deposit.payer_sealed', operationId, { id }), sealedPayer);
}

function newDepositEvent(
  store: EventStore,
  { snapshot: deposit, sealedPayer }: KeptDeposit,
  event: PublishedEvent | null,
): NewEvent | null {
  const { operationId, id: objectId } = deposit;
  return newEvent(store, { operationId, objectId }, event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: deposit.updatedAt,
      operationId: deposit.operationId,
      objectId: deposit.id,
      objectVersion: deposit.version,
      object: presentDeposit(deposit, openPayer(store.sealer, deposit, sealedPayer)),
    }),
  );
}
