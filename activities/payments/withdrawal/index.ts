// The steps of a withdrawal, over what they depend on.
import { answering } from '../answering.js';
import { BriefCalls, type BriefSlots } from '../../provider/brief-calls.js';
import {
  approveWithdrawal,
  cancelWithdrawal,
  cancelWithdrawalByStaff,
  loadWithdrawal,
  refuseWithdrawal,
} from './acts.js';
import { clearDispatch } from './dispatch.js';
import { decideRequested, judgeReviewed } from './judge.js';
import { lookUpKeyOwner } from './key-owner.js';
import { followPayout, lookUpPayout, lookUpPayoutBriefly } from './look-up.js';
import { openWithdrawal } from './open.js';
import type { WithdrawalDependencies } from './ports.js';
import { sendPayout } from './send.js';
import type { WithdrawalSteps } from './types.js';
import { decideWriteOff } from './write-off.js';

/** `briefSlots` are shared with the other steps of the process. */
export function createWithdrawalSteps({
  briefSlots,
  ...given
}: Omit<WithdrawalDependencies, 'brief'> & { readonly briefSlots?: BriefSlots }): WithdrawalSteps {
  const calls = () => new BriefCalls(undefined, briefSlots);
  const dependencies = { ...given, brief: { keyOwners: calls(), lookUps: calls() } };
  return answering('withdrawal', dependencies, {
    loadWithdrawal,
    cancelWithdrawal,
    cancelWithdrawalByStaff,
    approveWithdrawal,
    refuseWithdrawal,
    decideWriteOff,
    openWithdrawal,
    decideRequested,
    judgeReviewed,
    clearDispatch,
    lookUpPayoutBriefly,
    lookUpKeyOwner,
    sendPayout,
    lookUpPayout,
    followPayout,
  });
}
