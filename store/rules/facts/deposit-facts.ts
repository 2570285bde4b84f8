// The facts of a deposit's creation, read in one statement.
import type { DepositQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DepositFacts } from '../../../domain/rules/deposit-rules.js';
import type { Database } from '../../database.js';
import { documentHash, playerHash, type Sealer } from '../../sealing/sealer.js';
import { openDepositRequest } from '../../sealing/orders.js';
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

const FACTS = sqlFile('rules/facts/deposit.sql');

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
  const row = await rowOf<DepositFactsRow>(database, FACTS(parametersOf(question, document)));
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
