// The steps of a deposit, over what they depend on.
import { answering } from '../answering.js';
import { BriefCalls, type BriefSlots } from '../../provider/brief-calls.js';
import {
  approveDeposit,
  askForReturn,
  cancelDeposit,
  cancelDepositByStaff,
  expireDeposit,
  expireDepositNow,
  loadDeposit,
} from './acts.js';
import { createCharge } from './charge.js';
import { withoutHeldInstructions } from './answers.js';
import { lookUpCharge, lookUpChargeBriefly } from './look-up.js';
import { openDeposit } from './open.js';
import type { DepositDependencies } from './ports.js';
import { followReturn } from './returns.js';
import type { DepositSteps } from './types.js';

/** `briefSlots` are shared with the other steps of the process. */
export function createDepositSteps({
  briefSlots,
  ...given
}: Omit<DepositDependencies, 'brief'> & { readonly briefSlots?: BriefSlots }): DepositSteps {
  const calls = () => new BriefCalls(undefined, briefSlots);
  const dependencies = { ...given, brief: { charges: calls(), lookUps: calls() } };
  const steps: DepositSteps = answering('deposit', dependencies, {
    loadDeposit,
    cancelDeposit,
    cancelDepositByStaff,
    expireDeposit,
    expireDepositNow,
    approveDeposit,
    requestReturn: askForReturn,
    openDeposit,
    lookUpChargeBriefly,
    createCharge,
    lookUpCharge,
    followReturn,
  });
  return {
    ...steps,
    lookUpChargeBriefly: async (input) => withoutHeldInstructions(await steps.lookUpChargeBriefly(input), input),
    lookUpCharge: async (input) => withoutHeldInstructions(await steps.lookUpCharge(input), input),
  };
}
