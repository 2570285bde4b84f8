// Looks a payout up by its reference and stores what follows. "Not found" proves nothing: the payout may still arrive.
import { ApplicationFailure } from '@temporalio/activity';
import { NO_TRACE, NOT_AT_ONCE, NOT_FINISHED, type PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { nextByPayout, payoutAlerts, type PayoutFinding } from '../../../domain/payments/payout-findings.js';
import { isWithdrawalClosed, mayHaveLeft } from '../../../domain/payments/withdrawal.js';
import { sendStateOf, type WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import { pendingRequest } from '../../../domain/payments/write-off.js';
import { MovementTakenError } from '../../../store/ledger/bank-movements.js';
import { MissingRowError } from '../../../store/errors.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { claimedTwice, raiseAbout } from '../../alerts.js';
import { notYet, untilStored } from '../retries.js';
import { readBy, storeInTurn } from '../step.js';
import type { PayoutLookedUp, StoredWithdrawal, WithdrawalProviderSteps } from '../types.js';
import { answerOf, type WithdrawalDependencies, type WithdrawalStore } from './ports.js';

const BRIEF_LOOK_UP_MS = 2_500;
/** Pauses between look-ups, short ones first: a provider may call back before its own answers show what happened. */
const PAUSES_SECONDS = [2, 5, 15, 60, 120, 300] as const;

type LookUp = Parameters<WithdrawalProviderSteps['lookUpPayout']>[0];

export async function lookUpPayout(dependencies: WithdrawalDependencies, ref: LookUp): Promise<PayoutLookedUp> {
  const { withdrawals, payouts } = dependencies;
  const row = await withdrawals.read(ref);
  if (isNothingSent(row.record)) return { ...answerOf(row, ref.at), outcome: 'nothing' };
  const { order, record } = row;
  const span = { since: record.snapshot.createdAt, at: ref.at };
  const look = await payouts.lookUpPayout({ order, span });
  if (look.kind === 'not_found') {
    const counted = await countTraceless(withdrawals, ref, row, ref.isNoticed ?? false);
    return { ...answerOf(counted, ref.at), outcome: 'nothing' };
  }
  const found = await storeReport(dependencies, ref, row, look.payout);
  return { ...answerOf(await noteUnfinished(withdrawals, ref, found), ref.at), outcome: 'found' };
}

/** Fails with NOT_AT_ONCE if the provider does not answer within a moment. */
export async function lookUpPayoutBriefly(dependencies: WithdrawalDependencies, ref: LookUp): Promise<PayoutLookedUp> {
  let final: MissingRowError | null = null;
  const call = () =>
    lookUpPayout(dependencies, ref).catch((error: unknown) => {
      // There is no such withdrawal. That is not a missing answer of the provider.
      if (error instanceof MissingRowError) final = error;
      throw error;
    });
  const answer = await dependencies.brief.lookUps.ask(ref.provider, BRIEF_LOOK_UP_MS, call);
  if (final !== null) throw final;
  if (answer === null) throw ApplicationFailure.nonRetryable('the provider does not answer at once', NOT_AT_ONCE);
  return answer;
}

/** Looks the payout up until its state changes: until then it fails, and Temporal repeats it without an event. */
export async function followPayout(
  dependencies: WithdrawalDependencies,
  { isLater, ...ref }: LookUp & { readonly isLater?: boolean },
): Promise<StoredWithdrawal> {
  const answer = await lookUpPayout(dependencies, ref);
  const { snapshot: withdrawal, send } = answer.state;
  if (withdrawal.version > ref.seenVersion || !mayHaveLeft(send)) return answer;
  throw notYet(answer.outcome === 'nothing' ? NO_TRACE : NOT_FINISHED, isLater, PAUSES_SECONDS);
}

/** A closed withdrawal is always looked up: a report that contradicts it must be seen. */
function isNothingSent(record: WithdrawalRecord): boolean {
  return !isWithdrawalClosed(record.snapshot.status) && !mayHaveLeft(sendStateOf(record));
}

/** While one person asks to write it off, the row shows that it was looked up and is still processing. */
function noteUnfinished(withdrawals: WithdrawalStore, ref: PaymentRef, start: WithdrawalRow): Promise<WithdrawalRow> {
  return noted(withdrawals, ref, start, (row) => {
    const { snapshot } = row.record;
    const isAsked = snapshot.status === 'processing' && pendingRequest(snapshot, ref.at) !== null;
    return isAsked ? withdrawals.noteUnfinished(row) : null;
  });
}

function countTraceless(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  start: WithdrawalRow,
  isTraced: boolean,
): Promise<WithdrawalRow> {
  return noted(withdrawals, ref, start, (row) => {
    const isOpen = row.record.snapshot.status === 'approved' && sendStateOf(row.record) === 'claimed';
    return isOpen ? withdrawals.countTraceless(row, { at: ref.at, isTraced }) : null;
  });
}

/** Stores by `note` what a look-up was; `null`: there is nothing to store. Reads again if the withdrawal changed. */
function noted(
  withdrawals: WithdrawalStore,
  ref: PaymentRef,
  start: WithdrawalRow,
  note: (row: WithdrawalRow) => Promise<boolean> | null,
): Promise<WithdrawalRow> {
  let row = start;
  return untilStored(async () => {
    if ((await note(row)) !== false) return row;
    row = await withdrawals.read(ref);
    return null;
  });
}

/** Stores what a provider's report of a payout changes, one transition after another, and raises its alert. */
export async function storeReport(
  { withdrawals, payouts }: Pick<WithdrawalDependencies, 'withdrawals' | 'payouts'>,
  ref: PaymentRef,
  start: WithdrawalRow,
  payout: PayoutFinding,
): Promise<WithdrawalRow> {
  const contract = payouts.contractOf(start.order);
  const next = ({ record }: WithdrawalRow) => readBy(contract, nextByPayout(record, payout));
  try {
    const row = await storeInTurn(withdrawals, ref, start, next);
    for (const alert of payoutAlerts(row.record, payout)) await raiseAbout(withdrawals, ref, alert);
    return row;
  } catch (error) {
    if (!(error instanceof MovementTakenError)) throw error;
    await raiseAbout(withdrawals, ref, claimedTwice(ref.id, error));
    return withdrawals.read(ref);
  }
}
