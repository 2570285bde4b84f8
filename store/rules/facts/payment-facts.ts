// The facts of a deposit's payment, read in one statement.
import type { PaymentQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DepositPayer } from '../../../domain/payments/deposit.js';
import type { PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import type { Database } from '../../database.js';
import { documentHash, playerHash, type Sealer } from '../../sealing/sealer.js';
import { placeOf } from '../../sealing/places.js';
import { rowOf, sqlFile } from '../../statements.js';
import { type RuleSetColumns, type RulesInForce, rulesInForce } from './shared.js';

const FACTS = sqlFile('rules/facts/payment.sql');

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
  const { operationId, playerRef, id } = question;
  const row = await rowOf<PaymentRow>(
    database,
    FACTS({ id, operationId, playerRef, payer: payerHash(sealer, question), player: playerHash(playerRef) }),
  );
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

/** `null` if the provider reported no document. The hash of a masked document is on no list. */
function payerHash(sealer: Sealer, question: PaymentQuestion): Uint8Array | null {
  const { operationId, id, sealedPayer } = question;
  if (sealedPayer === null) return null;
  const { document } = sealer.openJson<DepositPayer>(placeOf('deposit.payer_sealed', operationId, { id }), sealedPayer);
  return document === null ? null : documentHash(sealer, operationId, document.number);
}
