// A person's decision on a payment: approve, refuse or return one under review, or write off a payout that was lost.
import { type Client, WorkflowUpdateStage } from '@temporalio/client';
import { type DepositActionOutcome, reviewDeposit } from '../../contract/temporal/deposit.js';
import {
  writeOffWithdrawal,
  reviewWithdrawal,
  type WithdrawalActionOutcome,
  type WriteOffOutcome,
} from '../../contract/temporal/withdrawal.js';
import type { ActText } from '../../contract/temporal/payment-steps.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { settle, type UnderWay, type Unreached, UPDATE_TIMEOUTS } from './workflow-updates.js';

/** `act` is sealed before it leaves this process: Temporal holds no names and no free text. */
export interface DepositDecision {
  readonly decision: 'approve' | 'return';
  readonly act: ActText;
}

export interface WithdrawalDecision {
  readonly decision: 'approve' | 'refuse';
  readonly act: ActText;
}

const waitForStage = WorkflowUpdateStage.ACCEPTED;

export async function decideDeposit(
  client: Client,
  sealer: Sealer,
  id: string,
  { decision, act }: DepositDecision,
  timeouts = UPDATE_TIMEOUTS,
): Promise<DepositActionOutcome | UnderWay | Unreached> {
  const handle = client.workflow.getHandle(id);
  const review = { decision, sealedAct: sealer.sealJson(act) };
  return settle(client, timeouts, () => handle.startUpdate(reviewDeposit, { args: [review], waitForStage }));
}

export async function decideWithdrawal(
  client: Client,
  sealer: Sealer,
  id: string,
  { decision, act }: WithdrawalDecision,
  timeouts = UPDATE_TIMEOUTS,
): Promise<WithdrawalActionOutcome | UnderWay | Unreached> {
  const handle = client.workflow.getHandle(id);
  const review = { decision, sealedAct: sealer.sealJson(act) };
  return settle(client, timeouts, () => handle.startUpdate(reviewWithdrawal, { args: [review], waitForStage }));
}

/** Requests or confirms that a lost payout is written off: the provider has stated that it never accepted it. */
export async function writeOffPayout(
  client: Client,
  sealer: Sealer,
  id: string,
  act: Required<ActText>,
  timeouts = UPDATE_TIMEOUTS,
): Promise<WriteOffOutcome | UnderWay | Unreached> {
  const handle = client.workflow.getHandle(id);
  const sealedAct = sealer.sealJson(act);
  return settle(client, timeouts, () =>
    handle.startUpdate(writeOffWithdrawal, { args: [{ sealedAct }], waitForStage }),
  );
}
