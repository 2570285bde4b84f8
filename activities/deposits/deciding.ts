// The frame of every step of a deposit: read the row, decide, store what follows if the row is still the one that was
// read, otherwise read and decide again.
import { ApplicationFailure } from '@temporalio/activity';
import { DEPOSIT_MISSING, type StoredDepositOrder } from '../../contract/temporal/deposit.js';
import type { PaymentRef } from '../../contract/temporal/payment-steps.js';
import type { DepositChange } from '../../domain/deposit-record.js';
import { type AskedOfProvider, isTampered, type Permission } from '../../domain/permissions.js';
import type { KnownSpan } from '../../domain/provider-clock.js';
import type { StaffAct } from '../../domain/staff.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import { tellOfTampering } from '../payments/permissions.js';
import { notYet } from '../payments/not-yet.js';
import { untilStored } from '../payments/until-stored.js';
import { inconclusive } from '../provider/charges.js';
import type { DepositStore } from './ports.js';
import type { StoredDeposit } from './types.js';

/** The version of a deposit that the provider's answer leads to: `pending`, with instructions, or `failed`. */
const INSTRUCTED_VERSION = 2;

/** What a step answers, and the change that it stores first; `null` if nothing changes. */
export interface Decision<Outcome> {
  readonly outcome: Outcome;
  readonly change: DepositChange | null;
}

/**
 * `first` is what the caller has read already. A person's act is read before the row, so the row includes the change of
 * an act that is used.
 */
export async function decideAndStore<Outcome>(
  deposits: DepositStore,
  ref: PaymentRef,
  decide: (kept: KeptDeposit, act: StaffAct | null) => Decision<Outcome>,
  { first, actId = null }: { readonly first?: KeptDeposit; readonly actId?: string | null } = {},
): Promise<{ readonly kept: KeptDeposit; readonly outcome: Outcome }> {
  let known = first;
  return untilStored(async () => {
    const act = actId === null ? null : await deposits.readAct(actId);
    const read = known ?? (await readExisting(deposits, ref));
    known = undefined;
    const { outcome, change } = decide(read, act);
    const kept = change === null ? read : await deposits.store({ kept: read, change, at: ref.at, decision: null });
    return kept === null ? null : { kept, outcome };
  }, contended);
}

/** The change, with the version of the provider contract by which the answer behind it was read. */
export function readBy(contract: string, change: DepositChange | null): DepositChange | null {
  return change === null ? null : { ...change, contract };
}

/** Fails with `DepositMissing` if there is no such deposit: a retry cannot help. */
export async function readExisting(deposits: DepositStore, deposit: PaymentRef): Promise<KeptDeposit> {
  const kept = await deposits.read(deposit);
  if (kept === null) throw ApplicationFailure.nonRetryable(`deposit ${deposit.id} does not exist`, DEPOSIT_MISSING);
  return kept;
}

/**
 * Fails if the provider may not be called; a retry reads the row and requests the permission again. A refusal that no
 * honest use leads to raises an alert.
 */
export async function assertPermitted(
  deposits: DepositStore,
  asked: AskedOfProvider,
  ref: PaymentRef,
  permission: Permission,
): Promise<void> {
  if (permission === 'given') return;
  if (permission === 'changed') throw contended();
  if (!isTampered(permission)) throw inconclusive(permission);
  await tellOfTampering(deposits, asked, ref, permission);
  // It continues only after a person has corrected the database.
  throw notYet(permission);
}

export function contended(): ApplicationFailure {
  return ApplicationFailure.retryable('the deposit kept changing', 'DepositContended');
}

/**
 * The answer of every step; `vouching` adds the proof. The names of the people who decided stay in the row.
 */
export function answerOf({ snapshot, returnRequest, revision }: KeptDeposit): StoredDeposit {
  const deposit = { ...snapshot, decidedBy: [] };
  return { state: { deposit, proof: null, isReturning: returnRequest !== null, revision } };
}

/**
 * The same answer without the instructions, for a process that has them already: with a PNG they are most of a
 * history's size.
 */
export function withoutHeldInstructions<Answer extends StoredDeposit>(
  answer: Answer,
  { seenVersion }: Pick<PaymentRef, 'seenVersion'>,
): Answer {
  if (seenVersion < INSTRUCTED_VERSION) return answer;
  const { state } = answer;
  return { ...answer, state: { ...state, deposit: { ...state.deposit, instructions: null } } };
}

/** What the provider is asked about a stored deposit, and what its times are compared with. */
export function questionOf(kept: KeptDeposit, at: string): { order: StoredDepositOrder; span: KnownSpan } {
  return { order: orderOf(kept), span: { since: kept.snapshot.createdAt, at } };
}

/** The order of a stored deposit. Requests to the provider are built from the row, never from a caller's input. */
function orderOf({ snapshot, operationName, environment, sealedRequest }: KeptDeposit): StoredDepositOrder {
  const { id, operationId, provider, externalId, playerRef, amountMinor, currency, createdAt, expiresAt } = snapshot;
  return {
    depositId: id,
    operationId,
    operationName,
    environment,
    provider,
    externalId,
    playerRef,
    amountMinor,
    currency,
    expiresInSeconds: Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000),
    sealedRequest,
  };
}
