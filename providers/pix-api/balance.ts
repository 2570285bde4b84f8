// The amount that can be sent from the account, if the dialect has it.
import { inconclusive } from '../common/http.js';
import { unknown } from '../common/unknown.js';
import type { BalanceAnswer } from '../port.js';
import type { PixApiClient } from './client.js';
import type { Dialect } from './dialect.js';

/** A payout waits for this answer, so it is given little time. */
const TIMEOUT_MS = 2_500;

export async function readBalance(client: PixApiClient, { balance }: Dialect): Promise<BalanceAnswer> {
  if (balance === null) return { kind: 'unsupported' };
  const answer = await client.call({ method: 'GET', path: balance.path, timeoutMs: TIMEOUT_MS });
  if (answer.kind !== 'answered' || answer.status !== 200) return unknown(inconclusive(answer));
  const read = balance.reply.safeParse(answer.body);
  return read.success ? { kind: 'balance', ...read.data } : unknown('unreadable_answer');
}
