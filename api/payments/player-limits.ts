// The hourly limits per player (check 2 of a creation). The request pipeline counts them with the Idempotency-Key: only
// valid bodies count, a repeat counts once, a refusal does not count.
import { HOURLY_LIMITS, type HourlyLimits } from '../../contract/http/limits.js';
import type { CreateDepositBody } from '../../contract/http/schemas/deposits.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import { isDirectoryKey } from '../../domain/pix.js';
import type { PlayerLimit } from '../middleware/request.js';

export const COUNTED: Readonly<Record<keyof HourlyLimits, string>> = {
  deposits: 'Deposits created for one player',
  withdrawals: 'Withdrawals requested for one player',
};

/** By route: the bucket that a valid body counts against, and its limit in a sliding hour. */
export function playerLimits({ deposits, withdrawals }: HourlyLimits = HOURLY_LIMITS) {
  return {
    createDeposit: ({ player }: CreateDepositBody, operationId: string) => ({
      bucket: `${operationId}:deposit:${player.external_ref}`,
      limit: deposits,
      what: COUNTED.deposits,
      countedRefusals: [],
    }),
    createWithdrawal: ({ player, destination }: CreateWithdrawalBody, operationId: string) => ({
      bucket: `${operationId}:withdrawal:${player.external_ref}`,
      limit: withdrawals,
      what: COUNTED.withdrawals,
      // With a directory key the mismatch can come from DICT. It counts, so that key owners cannot be probed freely.
      countedRefusals:
        destination.pix !== undefined && isDirectoryKey(destination.pix.key_type) ? ['document_mismatch'] : [],
    }),
  } as const satisfies Record<string, (body: never, operationId: string) => PlayerLimit>;
}
