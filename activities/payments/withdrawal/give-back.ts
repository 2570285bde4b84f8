// Ends an attempt that provably sent nothing: its permission is given back, also one that is granted later.
import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import { sendStateOf } from '../../../domain/payments/withdrawal-record.js';
import { mayHaveLeft } from '../../../domain/payments/withdrawal.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { WithdrawalStore } from './ports.js';
import { answerOf } from './answers.js';
import type { PayoutSent } from './types.js';

/** Pauses while PostgreSQL does not answer: between the tries that the step waits for, and between those after it. */
interface Pauses {
  readonly atOnce: readonly number[];
  readonly later: number;
}
const PAUSES_MS: Pauses = { atOnce: [200, 1_000, 3_000], later: 15_000 };
/** For an hour after the step has failed. */
const LATER_TRIES = 240;

export interface UnsentAttempt {
  readonly ref: PaymentRef;
  /** As it was read before the permission was asked for. */
  readonly row: WithdrawalRow;
  readonly attempt: string;
}

export type NothingLeft = (attempt: UnsentAttempt, reason: string) => Promise<PayoutSent>;

/**
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
