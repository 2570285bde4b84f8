// The facts of a withdrawal's decision, read in one statement, so that all are from the same moment.
import type { WithdrawalQuestion } from '../../../contract/temporal/rule-questions.js';
import { isUsableForPix } from '../../../domain/documents.js';
import { isDirectoryKey, isPixKeyFormat } from '../../../domain/pix.js';
import { documentLookupValue } from '../../../domain/rules/lookup-values.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import type { Database } from '../../database.js';
import {
  deviceHash,
  documentHash,
  ipHash,
  networkHashes,
  pixKeyHash,
  playerHash,
  type Sealer,
} from '../../sealing/sealer.js';
import { openWithdrawalRequest, type SealedWithdrawalRequest } from '../../sealing/orders.js';
import { rowOf, sqlFile } from '../../statements.js';
import { type RiskColumns, riskFacts, riskParameters } from './risk-facts.js';
import {
  documentUse,
  HOURS_OF_LOCAL_DAY,
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
  windowParameters,
} from './shared.js';

const FACTS = sqlFile('rules/facts/withdrawal.sql');

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
    FACTS(parametersOf(question, hashesOf(sealer, order.operationId, request))),
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
