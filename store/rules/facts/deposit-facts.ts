// The facts of a deposit's creation, read in one statement.
import type { DepositQuestion } from '../../../contract/temporal/rule-questions.js';
import type { DepositFacts } from '../../../domain/rules/deposit-rules.js';
import { Prisma } from '../../../prisma/generated/client.js';
import type { Database } from '../../database.js';
import { DEPOSIT_COUNTS } from '../../payments/phase-sql.js';
import { documentHash, playerHash } from '../../sealing/lookup-hashes.js';
import { openDepositRequest } from '../../sealing/sealed-requests.js';
import type { Sealer } from '../../sealing/sealer.js';
import { rowOf } from '../../statements.js';
import {
  countedSql,
  documentUse,
  HOURS_OF_30_DAYS,
  HOURS_OF_7_DAYS,
  HOURS_OF_LOCAL_DAY,
  hoursBefore,
  isListed,
  type JsonMovement,
  type KnownPlayerColumns,
  knownPlayerSql,
  listedSql,
  movementOf,
  newestMovementsSql,
  newestTimesSql,
  NO_PLAYER_REVISION,
  ofPlayerSql,
  type RuleSetColumns,
  type RulesInForce,
  rulesInForce,
  ruleSetSql,
  utcInstant,
  windowSql,
} from './facts-sql.js';

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
  const row = await rowOf<DepositFactsRow>(database, factsSql(question, document));
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
  readonly d7_minor: string;
  readonly d7_count: number;
  readonly d30_minor: string;
  readonly d30_count: number;
}

function factsSql(question: DepositQuestion, document: Uint8Array): Prisma.Sql {
  const { operationId, playerRef } = question.order;
  const asked = [
    { kind: 'player', hash: playerHash(playerRef) },
    { kind: 'document', hash: document },
  ] as const;
  return Prisma.sql`
    WITH ${ruleSetSql(operationId)},
    ${listedSql(operationId, asked)},
    ${knownPlayerSql(operationId, playerRef, document)},
    ${historySql(question)}
    SELECT rule_set.version, rule_set.rules, rule_set.engine, listed.hits, history.*,
      known.revision AS player_revision, known.same AS same_document
    FROM listed CROSS JOIN history LEFT JOIN rule_set ON TRUE LEFT JOIN known ON TRUE`;
}

/** More than the hourly limit of deposits lets one player create in a day. */
const LONGEST_LIST = 300;

/**
 * CTE `history`, one row: the player's other deposits of 30 days in the currency. A deposit that nobody has paid yet is
 * both counted and unpaid. `own` is this deposit, if it is stored already.
 */
function historySql({ order, at }: DepositQuestion): Prisma.Sql {
  const { operationId, playerRef, currency, depositId } = order;
  const payments = { kind: 'deposit', operationId, playerRef, currency } as const;
  const since = (hours: number) =>
    Prisma.sql`id <> ${depositId} AND created_at > ${hoursBefore(at, hours)}::timestamptz`;
  const own = Prisma.sql`own`;
  const recent = Prisma.sql`${countedSql(payments)} AND ${since(HOURS_OF_LOCAL_DAY)}`;
  const unpaid = Prisma.sql`deposit WHERE ${ofPlayerSql(payments)} AND paid_at IS NULL AND ${since(24)}`;
  return Prisma.sql`
    own AS (SELECT amount_minor, created_at FROM deposit WHERE id = ${depositId} AND ${DEPOSIT_COUNTS}),
    ${windowSql('d7', payments, at, HOURS_OF_7_DAYS, own)},
    ${windowSql('d30', payments, at, HOURS_OF_30_DAYS, own)},
    history AS (
      SELECT d7.minor AS d7_minor, d7.number AS d7_count, d30.minor AS d30_minor, d30.number AS d30_count,
        ${newestMovementsSql('created_at', recent, LONGEST_LIST)} AS recent,
        ${newestTimesSql(unpaid, LONGEST_LIST)} AS unpaid_at
      FROM d7 CROSS JOIN d30
    )`;
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
