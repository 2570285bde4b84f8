// The checks before the send (lists, operation, automatic hours and cash box) and the one send. The permission is taken
// in PostgreSQL first, under the attempt's own name, and only if the database permits this payout and its checks are
// seconds old. An attempt that finds the permission taken looks the payout up; one that provably sent nothing gives it
// back.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { isTampered, type PermissionRefusal } from '../../../domain/payments/permissions.js';
import { mayHaveLeft } from '../../../domain/payments/withdrawal.js';
import { sendStateOf, type WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import { blockedAtDispatch } from '../../../domain/payments/withdrawal-verdicts.js';
import { type DispatchVerdict, isDispatchVerdict } from '../../../domain/rules/verdicts.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { askRules } from '../../rules.js';
import { tellOfTampering, untilStored } from '../retries.js';
import type { DispatchCleared, PayoutSent } from '../types.js';
import { storeReport } from './look-up.js';
import { deadlineIn } from './deadline.js';
import { answerOf, type WithdrawalDependencies, type WithdrawalStore } from './ports.js';

export function clearDispatch(
  { withdrawals, rules }: WithdrawalDependencies,
  ref: PaymentRef,
): Promise<DispatchCleared> {
  const { id, operationId, at } = ref;
  return untilStored(async (): Promise<DispatchCleared | null> => {
    const row = await withdrawals.read(ref);
    if (isOver(row.record)) return { ...answerOf(row, at), outcome: { kind: 'over' } };
    const { verdict, record } = await askRules(rules, (engine) => engine.decideDispatch({ id, operationId, at }));
    if (!isDispatchVerdict(verdict))
      throw ApplicationFailure.retryable('the rules gave an invalid answer', 'RulesInvalidResponse');
    return applied(withdrawals, row, verdict, record, at);
  });
}

/** `null` if the withdrawal has changed since it was read. */
async function applied(
  withdrawals: WithdrawalStore,
  row: WithdrawalRow,
  verdict: DispatchVerdict,
  decision: DecisionRecord | null,
  at: string,
): Promise<DispatchCleared | null> {
  switch (verdict.kind) {
    case 'send': {
      const cleared = await withdrawals.clear(row, decision);
      return cleared === null ? null : { ...answerOf(cleared, at), outcome: { kind: 'clear' } };
    }
    case 'blocked': {
      const blocked = await withdrawals.store({ row, change: blockedAtDispatch(row.record), at, decision });
      return blocked === null ? null : { ...answerOf(blocked, at), outcome: { kind: 'over' } };
    }
    case 'wait': {
      if (decision !== null) await withdrawals.storeDecision(decision);
      const { ruleSetVersion: _, ...outcome } = verdict;
      return { ...answerOf(row, at), outcome };
    }
  }
}

function isOver(record: WithdrawalRecord): boolean {
  return record.snapshot.status !== 'approved' || mayHaveLeft(sendStateOf(record));
}

/**
 * The longest time between asking for the permission and the first byte of the send, checked when the connection is
 * open. An attempt that took longer was frozen (a stopped process, a paused machine) and sends nothing.
 */
const PERMISSION_LASTS_MS = 10_000;
/**
 * How old the look at block lists, operation and provider may be when the first byte leaves. The permission's own look
 * is mostly milliseconds old then; after a slow connection, or in a process that was held, they are looked at again.
 */
const LOOK_LASTS_MS = 1_000;

export function sendPayout(dependencies: WithdrawalDependencies, ref: PaymentRef): Promise<PayoutSent> {
  const { withdrawals } = dependencies;
  let refused: number | null = null;
  return untilStored(async () => {
    const row = await withdrawals.read(ref);
    // The row has not changed since the permission was refused, so it would be refused again.
    const outcome = row.record.revision === refused ? NOT_CLEARED : await whyNot(row, dependencies);
    if (outcome !== null) return { ...answerOf(row, ref.at), outcome };
    const sent = await sendOnce(dependencies, ref, row);
    if (sent === null) refused = row.record.revision;
    return sent;
  });
}

type SendOutcome = PayoutSent['outcome'];

const NOT_CLEARED: SendOutcome = { kind: 'not_cleared' };

/** `null` if it may be sent, provided that the permission can be taken. */
async function whyNot(
  { record, order }: WithdrawalRow,
  { environment, payouts }: WithdrawalDependencies,
): Promise<SendOutcome | null> {
  if (order.environment !== environment) return { kind: 'guarded' };
  const state = sendStateOf(record);
  switch (state) {
    case 'cleared':
      if (record.snapshot.status !== 'approved') return NOT_CLEARED;
      return (await payouts.isCovered({ order })) ? null : { kind: 'account_short' };
    case 'claimed':
      return { kind: 'unknown', reason: 'an earlier attempt has the permission to send' };
    case 'known':
      return { kind: 'replied' };
    case 'none':
    case 'not_sent':
      return NOT_CLEARED;
  }
}

/** Takes the permission and sends. `null` if the withdrawal changed since it was read. */
async function sendOnce(
  dependencies: WithdrawalDependencies,
  ref: PaymentRef,
  row: WithdrawalRow,
): Promise<PayoutSent | null> {
  const { withdrawals, payouts, environment, clocks } = dependencies;
  const { order, record } = row;
  // Opened before the permission is taken: what cannot be opened is never sent.
  const send = payouts.preparePayout({
    order,
    span: { since: record.snapshot.createdAt, at: ref.at },
    lookupEndToEndId: record.lookupEndToEndId,
  });
  const attempt = randomUUID();
  const unsent = { ref, row, attempt };
  const nothingLeft = createNothingLeft(withdrawals);
  const isExpired = deadlineIn(PERMISSION_LASTS_MS, clocks);
  let isLookOld = deadlineIn(LOOK_LASTS_MS, clocks);
  const mayLeave = async () => {
    if (isLookOld()) {
      isLookOld = deadlineIn(LOOK_LASTS_MS, clocks);
      if (await withdrawals.isForbidden(row)) return false;
    }
    return !isExpired() && !isLookOld();
  };
  let taken: WithdrawalRow | PermissionRefusal;
  try {
    taken = await withdrawals.claim(row, { attempt, environment });
  } catch {
    return nothingLeft(unsent, 'the database did not answer');
  }
  if (taken === 'changed') return null;
  if (typeof taken === 'string') {
    if (isTampered(taken)) await tellOfTampering(withdrawals, 'payout', ref, taken);
    return { ...answerOf(row, ref.at), outcome: refusedBy(taken) };
  }
  const result = await send(mayLeave);
  switch (result.kind) {
    case 'reply': {
      const reported = await storeReport(dependencies, ref, taken, result.payout);
      return { ...answerOf(reported, ref.at), outcome: { kind: 'replied' } };
    }
    case 'not_sent':
      return nothingLeft(unsent, result.reason);
    case 'no_funds': {
      const unpaid = await nothingLeft(unsent, 'no_funds');
      return unpaid.outcome.kind === 'not_sent' ? { ...unpaid, outcome: { kind: 'account_short' } } : unpaid;
    }
    case 'unknown':
      return { ...answerOf(taken, ref.at), outcome: result };
  }
}

function refusedBy(refusal: PermissionRefusal): SendOutcome {
  if (refusal === 'other_environment') return { kind: 'guarded' };
  return isTampered(refusal) ? { kind: 'not_in_books' } : NOT_CLEARED;
}

/** Pauses while PostgreSQL does not answer: between the tries that the step waits for, and between those after it. */
interface Pauses {
  readonly atOnce: readonly number[];
  readonly later: number;
}
const PAUSES_MS: Pauses = { atOnce: [200, 1_000, 3_000], later: 15_000 };
/** For an hour after the step has failed. */
const LATER_TRIES = 240;

interface UnsentAttempt {
  readonly ref: PaymentRef;
  /** As it was read before the permission was asked for. */
  readonly row: WithdrawalRow;
  readonly attempt: string;
}

type NothingLeft = (attempt: UnsentAttempt, reason: string) => Promise<PayoutSent>;

/**
 * Ends an attempt that provably sent nothing: its permission is given back, also one that is granted later.
 * If PostgreSQL stays unavailable, the step fails and the payout is looked up like one that may have left, while the
 * process keeps trying: then a look-up shows that nothing left, and it is checked and sent again.
 */
export function createNothingLeft(withdrawals: WithdrawalStore, pausesMs = PAUSES_MS): NothingLeft {
  async function keepGivingBack({ row, attempt }: UnsentAttempt): Promise<void> {
    for (let tries = 0; tries < LATER_TRIES; tries += 1) {
      await pause(pausesMs.later, undefined, { ref: false });
      try {
        return await withdrawals.giveBack(row, attempt);
      } catch {
        // Still unavailable.
      }
    }
  }

  return async (unsent, reason) => {
    const { ref, row, attempt } = unsent;
    const giveBack = async (): Promise<PayoutSent> => {
      await withdrawals.giveBack(row, attempt);
      const now = await withdrawals.read(ref);
      // Another attempt may have sent since.
      const kind = mayHaveLeft(sendStateOf(now.record)) ? 'unknown' : 'not_sent';
      return { ...answerOf(now, ref.at), outcome: { kind, reason } };
    };
    for (const pauseMs of pausesMs.atOnce) {
      try {
        return await giveBack();
      } catch {
        await pause(pauseMs);
      }
    }
    try {
      return await giveBack();
    } catch (error) {
      void keepGivingBack(unsent);
      throw error;
    }
  };
}
