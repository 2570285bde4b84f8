// The permission to request a deposit's charge from a provider, and the return of its payment. One statement each gives
// it, only for what the database rows and the ledger call for. The insertion of a new deposit permits its first charge.
import type { Permission } from '../../domain/permissions.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { isPausedSql } from '../operations/provider-pauses.js';
import { refusalSql } from '../payments/refusal-sql.js';
import { reservedSql } from '../payments/reserved-sql.js';
import { documentHash } from '../sealing/lookup-hashes.js';
import { openDepositRequest } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';
import { rowOf } from '../statements.js';
import type { KeptDeposit } from './read.js';

type Environment = 'sandbox' | 'production';

/** Whether a process of this environment may request the charge of the deposit, as it was read. */
export function permitCharge(
  database: Database,
  sealer: Sealer,
  { snapshot, revision, sealedRequest }: KeptDeposit,
  environment: Environment,
): Promise<Permission> {
  const { id, operationId } = snapshot;
  const { player, amount } = openDepositRequest(sealer, { depositId: id, operationId, sealedRequest });
  const refusal = refusalSql(
    ['changed', Prisma.sql`deposit.revision <> ${revision} OR deposit.status <> 'created'`],
    [
      'other_amount',
      Prisma.sql`(deposit.amount_minor, deposit.currency) <> (${amount.amount}::numeric, ${amount.currency})`,
    ],
    [
      'other_document',
      Prisma.sql`player.document_hash
            IS DISTINCT FROM ${documentHash(sealer, operationId, player.document.number)}::bytea`,
    ],
    ['other_environment', Prisma.sql`operation.environment <> ${environment}`],
    ['provider_paused', isPausedSql(Prisma.sql`deposit.provider`)],
  );
  return permission(database, snapshot, refusal);
}

export interface ReturnToPermit {
  readonly actId: string;
  readonly endToEndId: string;
  /** The part of the payment that has not gone back yet. */
  readonly amountMinor: string;
}

/**
 * Whether this payment of the deposit, as it was read, may be returned: a person requested it by an act that is used
 * up, and has not been concluded; the ledger holds exactly this money for it, and no other deposit has the payment.
 */
export function permitReturn(
  database: Database,
  { snapshot, revision }: KeptDeposit,
  { actId, endToEndId, amountMinor }: ReturnToPermit,
  environment: Environment,
): Promise<Permission> {
  const refusal = refusalSql(
    [
      'changed',
      Prisma.sql`NOT coalesce(deposit.revision = ${revision} AND deposit.status = 'under_review'
            AND deposit.return_request ->> 'actId' = ${actId} AND deposit.end_to_end_id = ${endToEndId}
            AND NOT deposit.return_in_doubt
            AND deposit.paid_amount_minor - deposit.returned_minor = ${amountMinor}::numeric, FALSE)
            OR EXISTS (SELECT FROM return_conclusion AS concluded WHERE concluded.return_act_id = ${actId})`,
    ],
    [
      'not_decided',
      Prisma.sql`NOT EXISTS (
            SELECT FROM staff_act AS act
            WHERE act.id = ${actId} AND act.kind = 'deposit.return' AND act.subject_id = deposit.id
              AND act.operation_id = deposit.operation_id AND act.subject_version = deposit.version
              AND act.outcome = 'done'
          )`,
    ],
    [
      'not_in_ledger',
      Prisma.sql`deposit.paid_amount_minor - deposit.returned_minor
            IS DISTINCT FROM ${reservedSql(Prisma.sql`deposit`, 'pending_in')}`,
    ],
    [
      'other_payment',
      Prisma.sql`EXISTS (
            SELECT FROM deposit AS other WHERE other.end_to_end_id = deposit.end_to_end_id AND other.id <> deposit.id
          )`,
    ],
    ['other_environment', Prisma.sql`operation.environment <> ${environment}`],
  );
  return permission(database, snapshot, refusal);
}

async function permission(
  database: Database,
  { id, operationId }: KeptDeposit['snapshot'],
  refusal: Prisma.Sql,
): Promise<Permission> {
  const row = await rowOf<{ permission: Permission }>(
    database,
    Prisma.sql`
      SELECT coalesce(${refusal}, 'given') AS permission
      FROM deposit
      JOIN operation ON operation.id = deposit.operation_id
      LEFT JOIN player ON player.operation_id = deposit.operation_id AND player.external_ref = deposit.player_ref
      WHERE deposit.id = ${id} AND deposit.operation_id = ${operationId}`,
  );
  return row?.permission ?? 'changed';
}
