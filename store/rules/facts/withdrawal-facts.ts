// The facts of a withdrawal: of its decision, those of the history rules among them, and of its dispatch. Each is read
// in one statement, so that all are from the same moment.
import type { DispatchQuestion, WithdrawalQuestion } from '../../../contract/temporal/rule-questions.js';
import { isUsableForPix } from '../../../domain/documents.js';
import { isDirectoryKey, isPixKeyFormat } from '../../../domain/pix.js';
import { automaticUseAt, usedIn } from '../../../domain/rules/automatic-limits.js';
import type { DispatchFacts } from '../../../domain/rules/dispatch-rules.js';
import { type EngineRules, vipTierOf } from '../../../domain/rules/engine-rules.js';
import { documentLookupValue } from '../../../domain/rules/lookup-values.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import type { Database } from '../../database.js';
import { MissingRowError } from '../../errors.js';
import { openWithdrawalRequest, type SealedWithdrawalRequest } from '../../sealing/orders.js';
import {
  deviceHash,
  documentHash,
  ipHash,
  networkHashes,
  pixKeyHash,
  playerHash,
  type Sealer,
} from '../../sealing/sealer.js';
import { rowOf, sqlFile } from '../../statements.js';
import {
  documentUse,
  HOURS_OF_LOCAL_DAY,
  hoursBefore,
  isListed,
  type JsonMovement,
  type KnownPlayerColumns,
  listParameters,
  type ListQuestion,
  movementOf,
  NO_PLAYER_REVISION,
  type RuleSetColumns,
  type RulesInForce,
  rulesInForce,
  utcInstant,
  windowParameters,
} from './shared.js';

const DECISION_FACTS = sqlFile('rules/facts/withdrawal.sql');

export interface WithdrawalReading extends RulesInForce {
  readonly facts: WithdrawalFacts;
  readonly playerRevision: string;
}

/** Throws MissingRowError if the operation has no rule set. */
export async function readWithdrawalFacts(
  database: Database,
  sealer: Sealer,
  question: WithdrawalQuestion,
): Promise<WithdrawalReading> {
  const { order, at } = question;
  const request = openWithdrawalRequest(sealer, order);
  const row = await rowOf<WithdrawalColumns>(
    database,
    DECISION_FACTS(parametersOf(question, hashesOf(sealer, order.operationId, request))),
  );
  const inForce = rulesInForce(row, order.operationId, order.currency);
  if (row === null) throw new Error('the statement of facts gave no row');
  const { thresholds, engine } = inForce;
  const createdAt = row.own_created_at ?? at;
  return {
    ...inForce,
    facts: {
      ...requestFacts(question, request),
      createdAt,
      ...storedFacts(row, request),
      risk: riskFacts(row, { createdAt, playerRef: order.playerRef }, request, thresholds, engine),
    },
    playerRevision: row.player_revision ?? NO_PLAYER_REVISION,
  };
}

interface Hashes {
  readonly document: Uint8Array;
  readonly destination: Uint8Array;
  readonly ip: Uint8Array | null;
  /** The hashes of every network that contains the address. */
  readonly networks: readonly Uint8Array[];
  readonly device: Uint8Array | null;
}

function hashesOf(sealer: Sealer, operationId: string, { player, destination }: SealedWithdrawalRequest): Hashes {
  const { key, key_type } = destination.pix;
  return {
    document: documentHash(sealer, operationId, player.document.number),
    destination: pixKeyHash(sealer, operationId, key, key_type),
    ip: player.ip === undefined ? null : ipHash(sealer, operationId, player.ip),
    networks: player.ip === undefined ? [] : networkHashes(sealer, operationId, player.ip),
    device: player.device_id === undefined ? null : deviceHash(sealer, operationId, player.device_id),
  };
}

interface WithdrawalColumns extends RuleSetColumns, KnownPlayerColumns, RiskColumns {
  readonly hits: string[];
  /** `null` while it is being created. */
  readonly own_created_at: string | null;
  readonly document_shared: boolean;
  readonly settled_count: number;
  readonly settled_minor: bigint;
  readonly paid_count: number;
  readonly counted_minor: bigint;
  readonly recent: JsonMovement[];
  readonly key_first_used_at: string | null;
  readonly had_other_key_before: boolean;
  readonly key_paid_before: boolean;
  readonly key_used_by_others: boolean;
  readonly ip_seen: boolean;
  readonly device_seen: boolean;
  readonly available_minor: bigint;
}

function parametersOf({ order, at }: WithdrawalQuestion, hashes: Hashes) {
  const { operationId, playerRef, currency, provider, id } = order;
  const { document, destination, ip, device } = hashes;
  return {
    ...{ id, operationId, playerRef, currency, provider, at, document, destination, ip, device },
    ...listParameters(askedOf(playerRef, hashes)),
    ...windowParameters(at),
    ...riskParameters(at),
    hoursOfLocalDay: HOURS_OF_LOCAL_DAY,
  };
}

function askedOf(playerRef: string, { document, destination, device, networks }: Hashes): ListQuestion[] {
  return [
    { kind: 'player', hash: playerHash(playerRef) },
    { kind: 'document', hash: document },
    { kind: 'pix_key', hash: destination },
    { kind: 'device', hash: device },
    ...networks.map((hash): ListQuestion => ({ kind: 'ip', hash })),
  ];
}

type RequestFacts = Pick<
  WithdrawalFacts,
  | 'at'
  | 'amountMinor'
  | 'documentUsable'
  | 'hasPlayerIp'
  | 'reviewRequested'
  | 'keyWellFormed'
  | 'keyHolder'
  | 'keyOwner'
>;

/** The facts of the request alone. */
function requestFacts(
  { order, at, keyOwner }: WithdrawalQuestion,
  { player, destination }: SealedWithdrawalRequest,
): RequestFacts {
  const { key, key_type } = destination.pix;
  return {
    at,
    amountMinor: order.amountMinor,
    documentUsable: isUsableForPix(player.document as Parameters<typeof isUsableForPix>[0]),
    hasPlayerIp: order.hasPlayerIp && player.ip !== undefined,
    reviewRequested: order.reviewRequested,
    keyWellFormed: isPixKeyFormat(key_type, key),
    keyHolder: keyHolder(player.document, destination.pix),
    keyOwner,
  };
}

type PixDestination = SealedWithdrawalRequest['destination']['pix'];

/** A CPF key is the player's own CPF or another's; a CNPJ key of an individual is another's by definition. */
function keyHolder(
  document: { type: string; number: string },
  { key, key_type }: PixDestination,
): WithdrawalFacts['keyHolder'] {
  if (isDirectoryKey(key_type)) return 'in_directory';
  const isOwn = document.type === key_type.toUpperCase() && documentLookupValue(document.number) === key;
  return isOwn ? 'player' : 'other';
}

/** The facts of the database. */
function storedFacts(
  row: WithdrawalColumns,
  { player }: SealedWithdrawalRequest,
): Omit<WithdrawalFacts, keyof RequestFacts | 'createdAt' | 'risk'> {
  const { hits } = row;
  return {
    document: documentUse(row.same_document),
    documentShared: row.document_shared,
    playerBlocked: isListed(hits, 'block', 'player'),
    documentBlocked: isListed(hits, 'block', 'document'),
    destinationBlocked: isListed(hits, 'block', 'pix_key'),
    playerOnReviewList: isListed(hits, 'review', 'player') || isListed(hits, 'review', 'document'),
    destinationOnReviewList: isListed(hits, 'review', 'pix_key'),
    ipListed: isListed(hits, 'review', 'ip') || isListed(hits, 'block', 'ip'),
    deviceListed: isListed(hits, 'review', 'device') || isListed(hits, 'block', 'device'),
    keyFirstUsedAt: row.key_first_used_at,
    hadOtherKeyBefore: row.had_other_key_before,
    keyPaidBefore: row.key_paid_before,
    keyUsedByOthers: row.key_used_by_others,
    ipSeenBefore: player.ip === undefined ? null : row.ip_seen,
    deviceSeenBefore: player.device_id === undefined ? null : row.device_seen,
    settledDepositCount: row.settled_count,
    settledDepositsMinor: row.settled_minor,
    paidWithdrawalCount: row.paid_count,
    countedWithdrawalsMinor: row.counted_minor,
    recentWithdrawals: row.recent.map(movementOf),
    availableMinor: row.available_minor,
  };
}

/** Payments of one player in 30 days that are read one by one; of more, only the sums. */
const LONGEST_LIST = 200;
/** Deposits of other players that are read per payer, on either side of the player in the index. */
const MOST_SHARED = 500;

/** The columns of the facts that the history rules compare. */
interface RiskColumns {
  readonly d7_minor: bigint;
  readonly d7_count: number;
  readonly d30_minor: bigint;
  readonly d30_count: number;
  readonly movements: JsonMovement[];
  readonly requested_at: string[];
  readonly destinations_30d: number;
  readonly settled_movements: JsonMovement[];
  readonly payers_30d: number;
  readonly other_players_of_payers: number;
  readonly automatic_use: { hour: string; hourMinor: bigint; day: string; dayMinor: bigint } | null;
}

function riskParameters(at: string) {
  return { requestedStart: hoursBefore(at, 24), longestList: LONGEST_LIST, mostShared: MOST_SHARED };
}

/** The facts of the row, the request and the configuration. */
function riskFacts(
  row: RiskColumns,
  subject: { createdAt: string; playerRef: string },
  request: SealedWithdrawalRequest,
  thresholds: Thresholds,
  engine: EngineRules,
): RiskFacts {
  return {
    windows: {
      d7: { amountMinor: row.d7_minor, count: row.d7_count },
      d30: { amountMinor: row.d30_minor, count: row.d30_count },
    },
    withdrawals: row.movements.map(movementOf),
    requestedAt: row.requested_at.map(utcInstant),
    destinations30d: row.destinations_30d,
    deposits: row.settled_movements.map(movementOf),
    payers30d: row.payers_30d,
    playersOfPayers: row.other_players_of_payers + 1,
    vipTier: vipTierOf(engine, subject.playerRef),
    automatic: usedIn(row.automatic_use, automaticUseAt(subject.createdAt, thresholds)),
    netGamingResult: netGamingResult(request.player_context?.['net_gaming_result']),
  };
}

/** A signed amount of minor units, as text or as the `amount` of Money. */
function netGamingResult(reported: unknown): RiskFacts['netGamingResult'] {
  const amount = typeof reported === 'object' && reported !== null && 'amount' in reported ? reported.amount : reported;
  if (typeof amount !== 'string') return 'unreported';
  return /^-?0+$/.test(amount) ? 'zero' : 'other';
}

const DISPATCH_FACTS = sqlFile('rules/facts/dispatch.sql');

interface DispatchRow extends RuleSetColumns {
  readonly currency: string;
  readonly operation_status: string;
  readonly automatic_stopped: boolean;
  readonly provider_paused: boolean;
  readonly player_blocked: boolean;
  readonly document_blocked: boolean;
  readonly destination_blocked: boolean;
  readonly available_minor: bigint;
}

/**
 * Lists, operation and cash box as they are now, over the withdrawal's row. Throws MissingRowError if there is no such
 * withdrawal, or its operation has no rule set.
 */
export async function readDispatchFacts(
  database: Database,
  question: DispatchQuestion,
): Promise<RulesInForce & { facts: DispatchFacts }> {
  const { id, operationId, at } = question;
  const row = await rowOf<DispatchRow>(database, DISPATCH_FACTS({ id, operationId }));
  if (row === null) throw new MissingRowError('Withdrawal', `withdrawal ${id} does not exist`);
  const facts: DispatchFacts = {
    at,
    playerBlocked: row.player_blocked,
    documentBlocked: row.document_blocked,
    destinationBlocked: row.destination_blocked,
    operationSuspended: row.operation_status !== 'active',
    automaticStopped: row.automatic_stopped,
    providerPaused: row.provider_paused,
    availableMinor: row.available_minor,
  };
  return { ...rulesInForce(row, operationId, row.currency), facts };
}
