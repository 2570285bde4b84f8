// The facts of a deposit's payment, read in one statement.
import type { PaymentQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DepositPayer } from '../../../domain/deposit.js';
import type { PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { documentHash, playerHash } from '../../sealing/lookup-hashes.js';
import { placeOf } from '../../sealing/places.js';
import type { Sealer } from '../../sealing/sealer.js';
import { rowOf } from '../../statements.js';
import { type RuleSetColumns, type RulesInForce, rulesInForce, ruleSetSql } from './facts-sql.js';

interface PaymentRow extends RuleSetColumns {
  readonly currency: string | null;
  readonly payer_blocked: boolean;
  readonly player_blocked: boolean;
}

/** Throws MissingRowError if the operation has no rule set. */
export async function readPaymentFacts(
  database: Database,
  sealer: Sealer,
  question: PaymentQuestion,
): Promise<RulesInForce & { facts: PaymentFacts }> {
  const row = await rowOf<PaymentRow>(database, factsSql(sealer, question));
  const facts: PaymentFacts = {
    at: question.at,
    paidAt: question.paidAt,
    expiresAt: question.expiresAt,
    chargedAmountMinor: question.chargedAmountMinor,
    paidAmountMinor: question.paidAmountMinor,
    payer: question.payerMatch,
    payerBlocked: row?.payer_blocked === true,
    playerBlocked: row?.player_blocked === true,
  };
  return { ...rulesInForce(row, question.operationId, row?.currency ?? 'BRL'), facts };
}

function factsSql(sealer: Sealer, question: PaymentQuestion): Prisma.Sql {
  const { operationId, playerRef, depositId } = question;
  const payer = payerHash(sealer, question);
  const player = playerHash(playerRef);
  return Prisma.sql`
    WITH ${ruleSetSql(operationId)},
    blocked AS (
      SELECT kind, value_hash FROM list_entry WHERE operation_id = ${operationId} AND list = 'block'
    ),
    fixed AS (
      SELECT document_hash FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef}
    )
    SELECT rule_set.version, rule_set.rules, rule_set.engine,
      (SELECT currency FROM deposit WHERE id = ${depositId} AND operation_id = ${operationId}) AS currency,
      EXISTS (SELECT FROM blocked WHERE kind = 'document' AND value_hash = ${payer}::bytea) AS payer_blocked,
      EXISTS (SELECT FROM blocked WHERE kind = 'player' AND value_hash = ${player}::bytea)
        OR EXISTS (SELECT FROM blocked JOIN fixed ON document_hash = value_hash WHERE kind = 'document')
        AS player_blocked
    FROM (VALUES (1)) AS one LEFT JOIN rule_set ON TRUE`;
}

/** `null` if the provider reported no document. The hash of a masked document is on no list. */
function payerHash(sealer: Sealer, question: PaymentQuestion): Uint8Array | null {
  const { operationId, depositId: id, sealedPayer } = question;
  if (sealedPayer === null) return null;
  const { document } = sealer.openJson<DepositPayer>(placeOf('deposit.payer_sealed', operationId, { id }), sealedPayer);
  return document === null ? null : documentHash(sealer, operationId, document.number);
}
