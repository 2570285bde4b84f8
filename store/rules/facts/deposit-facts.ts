// The facts of a deposit: of its creation, and of its payment, each read in one statement.
import type { DepositQuestion, PaymentQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DepositPayer } from '../../../domain/payments/deposit.js';
import type { DepositFacts, PaymentFacts } from '../../../domain/rules/deposit-rules.js';
import type { Database } from '../../database.js';
import { openDepositRequest } from '../../sealing/orders.js';
import { placeOf } from '../../sealing/places.js';
import { documentHash, playerHash, type Sealer } from '../../sealing/sealer.js';
import { rowOf, sqlFile } from '../../statements.js';
import {
  documentUse,
  HOURS_OF_LOCAL_DAY,
  hoursBefore,
  isListed,
  type JsonMovement,
  type KnownPlayerColumns,
  listParameters,
  movementOf,
  NO_PLAYER_REVISION,
  type RuleSetColumns,
  type RulesInForce,
  rulesInForce,
  utcInstant,
  windowParameters,
} from './shared.js';

const CREATION_FACTS = sqlFile('rules/facts/deposit.sql');

export interface DepositReading extends RulesInForce {
  readonly facts: DepositFacts;
  readonly playerRevision: string;
}

/** Throws MissingRowError if the operation has no rule set. */
export async function readDepositFacts(
  database: Database,
  sealer: Sealer,
  question: DepositQuestion,
): Promise<DepositReading> {
  const { order, at } = question;
  const { player } = openDepositRequest(sealer, order);
  const document = documentHash(sealer, order.operationId, player.document.number);
  const row = await rowOf<DepositFactsRow>(database, CREATION_FACTS(parametersOf(question, document)));
  if (row === null) throw new Error('the query for the facts of a deposit returned no row');
  const facts: DepositFacts = {
    at,
    amountMinor: order.amountMinor,
    document: documentUse(row.same_document ?? null),
    playerBlocked: isListed(row.hits, 'block', 'player'),
    documentBlocked: isListed(row.hits, 'block', 'document'),
    history: historyOf(row),
  };
  return {
    ...rulesInForce(row, order.operationId, order.currency),
    facts,
    playerRevision: row.player_revision ?? NO_PLAYER_REVISION,
  };
}

interface DepositFactsRow extends RuleSetColumns, KnownPlayerColumns {
  readonly hits: string[];
  readonly recent: JsonMovement[];
  readonly unpaid_at: string[];
  readonly d7_minor: bigint;
  readonly d7_count: number;
  readonly d30_minor: bigint;
  readonly d30_count: number;
}

/** More than the hourly limit of deposits lets one player create in a day. */
const LONGEST_LIST = 300;

function parametersOf({ order, at }: DepositQuestion, document: Uint8Array) {
  const { operationId, playerRef, currency, id } = order;
  return {
    ...{ id, operationId, playerRef, currency, document },
    ...listParameters([
      { kind: 'player', hash: playerHash(playerRef) },
      { kind: 'document', hash: document },
    ]),
    ...windowParameters(at),
    dayStart: hoursBefore(at, HOURS_OF_LOCAL_DAY),
    unpaidStart: hoursBefore(at, 24),
    longestList: LONGEST_LIST,
  };
}

function historyOf(row: DepositFactsRow): DepositFacts['history'] {
  return {
    recent: row.recent.map(movementOf),
    windows: {
      d7: { amountMinor: row.d7_minor, count: row.d7_count },
      d30: { amountMinor: row.d30_minor, count: row.d30_count },
    },
    unpaidAt: row.unpaid_at.map(utcInstant),
  };
}

const PAYMENT_FACTS = sqlFile('rules/facts/payment.sql');

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
    PAYMENT_FACTS({ id, operationId, playerRef, payer: payerHash(sealer, question), player: playerHash(playerRef) }),
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
