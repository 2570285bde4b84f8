// The hourly limits per player (check 2 of a creation): counted by the request pipeline together with the
// Idempotency-Key, so that only valid bodies count, a repeat counts once, and a refusal does not.
import type { CreateDepositBody } from '../../contract/http/schemas/deposits.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import { isDirectoryKey } from '../../domain/pix.js';
import type { PlayerLimit } from '../middleware/idempotency.js';

export const DEPOSITS_PER_PLAYER_AND_HOUR = 10;
export const WITHDRAWALS_PER_PLAYER_AND_HOUR = 3;

/** By route: the bucket that a valid body counts against, and how many objects it takes in a sliding hour. */
export const playerLimits = {
  createDeposit: ({ player }: CreateDepositBody, operationId: string) => ({
    bucket: `${operationId}:deposit:${player.external_ref}`,
    limit: DEPOSITS_PER_PLAYER_AND_HOUR,
    countedRefusals: [],
  }),
  createWithdrawal: ({ player, destination }: CreateWithdrawalBody, operationId: string) => ({
    bucket: `${operationId}:withdrawal:${player.external_ref}`,
    limit: WITHDRAWALS_PER_PLAYER_AND_HOUR,
    // Then it can be DICT's answer, and whose key it is may not be asked without end.
    countedRefusals: destination.pix !== undefined && isDirectoryKey(destination.pix.key_type) ? ['document_mismatch'] : [],
  }),
} as const satisfies Record<string, (body: never, operationId: string) => PlayerLimit>;
