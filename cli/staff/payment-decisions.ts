// A person's decision on a payment: approve, refuse or return one under review, or write off a payout that was lost.
import { type Client, WorkflowUpdateStage } from '@temporalio/client';
import { type DepositActionOutcome, reviewDeposit } from '../../contract/temporal/deposit.js';
import {
  writeOffWithdrawal,
  reviewWithdrawal,
  type WithdrawalActionOutcome,
  type WriteOffDecision,
  type WriteOffOutcome,
} from '../../contract/temporal/withdrawal.js';
import { settle, type UnderWay, type Unreached, UPDATE_TIMEOUTS } from './workflow-updates.js';

export interface DepositDecision {
  readonly decision: 'approve' | 'return';
  readonly person: string;
  readonly reason: string;
}

export interface WithdrawalDecision {
  readonly decision: 'approve' | 'refuse';
  readonly person: string;
  readonly reason: string;
}

const waitForStage = WorkflowUpdateStage.ACCEPTED;

export async function decideDeposit(
  client: Client,
  id: string,
  decision: DepositDecision,
  timeouts = UPDATE_TIMEOUTS,
): Promise<DepositActionOutcome | UnderWay | Unreached> {
  const handle = client.workflow.getHandle(id);
  return settle(client, timeouts, () => handle.startUpdate(reviewDeposit, { args: [decision], waitForStage }));
}

export async function decideWithdrawal(
  client: Client,
  id: string,
  decision: WithdrawalDecision,
  timeouts = UPDATE_TIMEOUTS,
): Promise<WithdrawalActionOutcome | UnderWay | Unreached> {
  const handle = client.workflow.getHandle(id);
  return settle(client, timeouts, () => handle.startUpdate(reviewWithdrawal, { args: [decision], waitForStage }));
}

/** Requests or confirms that a lost payout is written off: the provider has stated that it never accepted it. */
export async function writeOffPayout(
  client: Client,
  id: string,
  writeOff: WriteOffDecision,
  timeouts = UPDATE_TIMEOUTS,
): Promise<WriteOffOutcome | UnderWay | Unreached> {
  const handle = client.workflow.getHandle(id);
  return settle(client, timeouts, () => handle.startUpdate(writeOffWithdrawal, { args: [writeOff], waitForStage }));
}
