// Stores a deposit's transition with its event, ledger entries and alerts, in one SQL statement that is safe to repeat.
import { presentDeposit } from '../../contract/http/presenters/deposit.js';
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { DepositTransitionInput, FoundDeposit } from '../../contract/temporal/transitions.js';
import type { DepositPayer } from '../../domain/deposit.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { auditedSql } from '../payments/audited-sql.js';
import { effectsSql, sealEvent } from '../payments/transition-sql.js';
import { documentHash } from '../sealing/lookup-hashes.js';
import type { Sealer } from '../sealing/sealer.js';
import { foundDeposit } from './found.js';

/** Answers what is stored already, if an earlier attempt stored it. Throws VersionGapError. */
export async function storeDepositTransition(
  database: Database,
  sealer: Sealer,
  input: DepositTransitionInput,
): Promise<'stored' | FoundDeposit> {
  const { deposit, fromVersion } = input;
  const [result] = await database.$queryRaw<{ changed: number }[]>(transitionSql(sealer, input));
  return result?.changed === 1 ? 'stored' : foundDeposit(database, deposit, fromVersion);
}

function transitionSql(sealer: Sealer, input: DepositTransitionInput): Prisma.Sql {
  const { deposit, sealedPayer } = input;
  const { operationId, id: objectId, currency, updatedAt: at } = deposit;
  const payer = sealedPayer === null ? null : sealer.openJson<DepositPayer>(sealedPayer);
  return Prisma.sql`
    WITH changed AS (${updateSql(sealer, input, payer)}),
    ${effectsSql({ operationId, objectId, currency, at }, input, sealDepositEvent(sealer, input, payer))}
    ${auditedSql('deposit', deposit, input.act)}
    SELECT count(*)::int AS changed, (SELECT count(sequence) FROM audited)::int AS audited FROM changed`;
}

function updateSql(sealer: Sealer, input: DepositTransitionInput, payer: DepositPayer | null): Prisma.Sql {
  const { deposit, fromVersion, sealedPayer } = input;
  const { instructions } = deposit;
  const payerSealed = sealedPayer === null ? null : Buffer.from(sealedPayer, 'base64url');
  const payerHash = payer?.document ? documentHash(sealer, payer.document.number) : null;
  return Prisma.sql`
      UPDATE deposit SET
        status = ${deposit.status},
        version = ${deposit.version},
        paid_amount_minor = ${deposit.paidAmountMinor}::numeric,
        payer_sealed = ${payerSealed}::bytea,
        payer_document_hash = ${payerHash}::bytea,
        copy_paste = ${instructions?.copyPaste ?? null},
        qr_code_png_base64 = ${instructions?.qrCodePngBase64 ?? null},
        instructions_expires_at = ${instructions?.expiresAt ?? null}::timestamptz,
        end_to_end_id = ${deposit.endToEndId},
        failure_code = ${deposit.failureCode},
        review_reasons = ${[...deposit.reviewReasons]}::text[],
        decided_by = ${JSON.stringify(deposit.decidedBy)}::jsonb,
        late_payment = ${deposit.latePayment},
        updated_at = ${deposit.updatedAt}::timestamptz,
        paid_at = ${deposit.paidAt}::timestamptz,
        expires_at = ${deposit.expiresAt}::timestamptz
      WHERE id = ${deposit.id} AND operation_id = ${deposit.operationId} AND version = ${fromVersion}
        AND ${notYetStoredSql(input)}
      RETURNING version`;
}

/** A change without a new version is recognised by its ledger transfer, which must not exist yet. */
function notYetStoredSql({ deposit, fromVersion, movement }: DepositTransitionInput): Prisma.Sql {
  if (fromVersion < deposit.version || movement === null) return Prisma.sql`TRUE`;
  return Prisma.sql`NOT EXISTS (SELECT 1 FROM ledger_entry WHERE transfer_id = ${movement.transferId})`;
}

function sealDepositEvent(
  sealer: Sealer,
  { deposit, event }: DepositTransitionInput,
  payer: DepositPayer | null,
): Uint8Array | null {
  return sealEvent(sealer, event, ({ id, type }) =>
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
}
