// Payouts at the payment provider: looking up the key's owner, the one send, and looking up an unknown outcome.
import { Context } from '@temporalio/activity';
import type { TaxDocument } from '../../domain/documents.js';
import { payoutReferenceOf } from '../../domain/identifiers.js';
import type { Payout, Provider, ProviderName, ProviderRegistry } from '../../providers/port.js';
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { SealedWithdrawalRequest } from '../../store/sealing/sealed-requests.js';
import { claimPayoutSend } from '../../store/withdrawals/payout-sends.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { PayoutFinding, ProviderActivities, SendAttempt, SendResult } from './types.js';
import { inconclusive, utc } from './charges.js';

type PayoutActivities = Pick<ProviderActivities, 'lookUpKeyOwner' | 'sendPayout' | 'lookUpPayout'>;

export interface PayoutDependencies {
  readonly providers: ProviderRegistry;
  readonly sealer: Sealer;
  readonly database: Database;
  /** This process's environment. It never sends for an operation of another one. */
  readonly environment: 'sandbox' | 'production';
  readonly nowMs: () => number;
}

/**
 * The longest time between asking for the permission and sending. An attempt that took longer was frozen (a stopped
 * process, a paused machine) and sends nothing.
 */
const PERMISSION_LASTS_MS = 10_000;

export function createPayoutActivities(dependencies: PayoutDependencies): PayoutActivities {
  const providerOf = (order: { provider: string }): Provider => dependencies.providers(order.provider as ProviderName);
  return {
    lookUpKeyOwner: ({ order }) => lookUpKeyOwner(providerOf(order), dependencies.sealer, order),
    sendPayout: (input) => sendPayout(providerOf(input.order), dependencies, input),
    lookUpPayout: ({ order }) => lookUpPayout(providerOf(order), order),
  };
}

async function lookUpKeyOwner(
  provider: Provider,
  sealer: Sealer,
  order: WithdrawalOrder,
): ReturnType<ProviderActivities['lookUpKeyOwner']> {
  const { player, destination } = sealer.openJson<SealedWithdrawalRequest>(order.sealedRequest);
  const lookup = await provider.lookUpKeyOwner({
    key: { type: destination.pix.key_type, value: destination.pix.key },
    expected: player.document as TaxDocument,
  });
  return {
    finding: lookup.kind === 'match' && lookup.strength === 'masked' ? 'weak_match' : lookup.kind,
    endToEndId: lookup.kind === 'match' ? lookup.endToEndId : null,
    retryAfterSeconds: lookup.kind === 'unavailable' ? lookup.retryAfterSeconds : null,
    reason: lookup.kind === 'unavailable' ? lookup.reason : null,
  };
}

/**
 * The one send. The permission is claimed in Postgres first, for this attempt only. If the activity starts again (a
 * reset, another run, an attempt after a lost one), it finds the permission taken and answers `unknown`, so that the
 * outcome is looked up. An attempt that was lost before its claim never gets the permission: the next one takes it
 * over. A permission expires, so that nothing leaves after others have treated the attempt as lost.
 */
async function sendPayout(
  provider: Provider,
  dependencies: PayoutDependencies,
  { order, lookupEndToEndId, ...attempt }: Parameters<ProviderActivities['sendPayout']>[0],
): Promise<SendResult> {
  if (order.environment !== dependencies.environment) return { kind: 'guarded' };
  const { player, destination } = dependencies.sealer.openJson<SealedWithdrawalRequest>(order.sealedRequest);
  const askedAtMs = dependencies.nowMs();
  const permission = await takeSendPermission(dependencies.database, order.withdrawalId, attempt);
  if (permission !== 'taken') return permission;
  if (dependencies.nowMs() - askedAtMs > PERMISSION_LASTS_MS)
    return { kind: 'not_sent', reason: 'the permission to send came too late' };
  const outcome = await provider.sendPayout({
    reference: payoutReferenceOf(order.withdrawalId),
    amountMinor: BigInt(order.amountMinor),
    key: { type: destination.pix.key_type, value: destination.pix.key },
    beneficiaryDocument: player.document as TaxDocument,
    lookupEndToEndId,
    description: order.operationName,
  });
  return outcome.kind === 'reply' ? { kind: 'reply', payout: payoutFinding(outcome.payout) } : outcome;
}

async function takeSendPermission(
  database: Database,
  withdrawalId: string,
  { attempt, takesOverFrom }: SendAttempt,
): Promise<'taken' | SendResult> {
  const runId = Context.current().info.workflowExecution?.runId ?? 'none';
  try {
    const isTaken = await claimPayoutSend(database, {
      withdrawalId,
      reference: payoutReferenceOf(withdrawalId),
      run: `${runId}/${attempt}`,
      takesOverFrom: `${runId}/${takesOverFrom}`,
    });
    return isTaken ? 'taken' : { kind: 'unknown', reason: 'an earlier attempt has the permission to send' };
  } catch {
    // Nothing has left. Only the permission is in doubt, and the next attempt may take it over.
    return { kind: 'not_sent', reason: 'the database did not answer' };
  }
}

async function lookUpPayout(
  provider: Provider,
  order: WithdrawalOrder,
): ReturnType<ProviderActivities['lookUpPayout']> {
  const lookup = await provider.lookUpPayout({
    reference: payoutReferenceOf(order.withdrawalId),
    amountMinor: BigInt(order.amountMinor),
  });
  if (lookup.kind === 'unknown') throw inconclusive(lookup.reason);
  return lookup.kind === 'found' ? { kind: 'found', payout: payoutFinding(lookup.payout) } : lookup;
}

function payoutFinding({ status, endToEndId, failureCode, paidAt, returned }: Payout): PayoutFinding {
  return { status, endToEndId, failureCode, paidAt: paidAt === null ? null : utc(paidAt), returned: returned !== null };
}
