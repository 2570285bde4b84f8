// The facts of a deposit's creation and of its payment, each read in one statement.
import type { DepositPayer } from '../../domain/deposit.js';
import type { DepositFacts, PaymentFacts } from '../../domain/rules/deposit-rules.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../../store/client.js';
import { documentHash, playerHash } from '../../store/lookup-hashes.js';
import type { SealedDepositRequest, Sealer } from '../../store/sealing.js';
import { isListed, listedSql, type RuleSetColumns, type RulesInForce, rulesInForce, ruleSetSql } from './facts-sql.js';
import type { DepositQuestion, PaymentQuestion } from './types.js';

export async function readDepositFacts(database: Database, sealer: Sealer, { order, at }: DepositQuestion): Promise<RulesInForce & { facts: DepositFacts }> {
  const { operationId, playerRef } = order;
  const { player } = sealer.openJson<SealedDepositRequest>(order.sealedRequest);
  const document = documentHash(sealer, player.document.number);
  const asked = [
    { kind: 'player', hash: playerHash(playerRef) },
    { kind: 'document', hash: document },
  ] as const;
  const [row] = await database.$queryRaw<(RuleSetColumns & { same_document: boolean | null; hits: string[] })[]>(Prisma.sql`
    WITH ${ruleSetSql(operationId)}, ${listedSql(operationId, asked)}
    SELECT rule_set.version, rule_set.rules, listed.hits,
      (SELECT document_hash = ${document}::bytea FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef}) AS same_document
    FROM listed LEFT JOIN rule_set ON TRUE`);
  const hits = row?.hits ?? [];
  const facts: DepositFacts = {
    at,
    amountMinor: order.amountMinor,
    document: documentStanding(row?.same_document ?? null),
    playerBlocked: isListed(hits, 'block', 'player'),
    documentBlocked: isListed(hits, 'block', 'document'),
  };
  return { ...rulesInForce(row, operationId, order.currency), facts };
}

/** Against the document fixed for the player; null where the player is new. */
export function documentStanding(isSame: boolean | null): DepositFacts['document'] {
  if (isSame === null) return 'first_use';
  return isSame ? 'same' : 'changed';
}

interface PaymentRow extends RuleSetColumns {
  readonly currency: string | null;
  readonly payer_blocked: boolean;
  readonly player_blocked: boolean;
}

export async function readPaymentFacts(database: Database, sealer: Sealer, question: PaymentQuestion): Promise<RulesInForce & { facts: PaymentFacts }> {
  const { operationId, playerRef, depositId } = question;
  const [row] = await database.$queryRaw<PaymentRow[]>(Prisma.sql`
    WITH ${ruleSetSql(operationId)},
      blocked AS (SELECT kind, value_hash FROM list_entry WHERE operation_id = ${operationId} AND list = 'block'),
      fixed AS (SELECT document_hash FROM player WHERE operation_id = ${operationId} AND external_ref = ${playerRef})
    SELECT rule_set.version, rule_set.rules,
      (SELECT currency FROM deposit WHERE id = ${depositId} AND operation_id = ${operationId}) AS currency,
      EXISTS (SELECT FROM blocked WHERE kind = 'document' AND value_hash = ${payerHash(sealer, question.sealedPayer)}::bytea) AS payer_blocked,
      EXISTS (SELECT FROM blocked WHERE kind = 'player' AND value_hash = ${playerHash(playerRef)}::bytea)
        OR EXISTS (SELECT FROM blocked JOIN fixed ON document_hash = value_hash WHERE kind = 'document') AS player_blocked
    FROM (VALUES (1)) AS one LEFT JOIN rule_set ON TRUE`);
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
  return { ...rulesInForce(row, operationId, row?.currency ?? 'BRL'), facts };
}

/** Null where the provider told no document. A masked one is nobody's: its hash is on no list. */
function payerHash(sealer: Sealer, sealedPayer: string | null): Uint8Array | null {
  const document = sealedPayer === null ? null : sealer.openJson<DepositPayer>(sealedPayer).document;
  return document === null ? null : documentHash(sealer, document.number);
}
