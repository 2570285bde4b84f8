// The one send. The permission is taken in PostgreSQL first, under the attempt's own name, and only if the database
// permits this payout and its checks are seconds old. An attempt that finds the permission taken looks the payout up.
import { randomUUID } from 'node:crypto';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { isTampered, type PermissionRefusal } from '../../../domain/payments/permissions.js';
import { sendStateOf } from '../../../domain/payments/withdrawal-record.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { tellOfTampering } from '../permissions.js';
import { untilStored } from '../until-stored.js';
import { answerOf } from './answers.js';
import { deadlineIn } from './deadline.js';
import { createNothingLeft } from './give-back.js';
import type { WithdrawalDependencies } from './ports.js';
import { storeReport } from './report.js';
import type { PayoutSent } from './types.js';

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
