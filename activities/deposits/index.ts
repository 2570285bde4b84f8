// The steps of a deposit, over what they depend on.
import { vouching } from '../payments/vouching.js';
import { BriefCalls, type BriefSlots } from '../provider/brief-calls.js';
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
import { withoutHeldInstructions } from './deciding.js';
import { examineCharge, examineChargeBriefly } from './examine.js';
import { openDeposit } from './open.js';
import type { DepositDependencies } from './ports.js';
import { followReturn, returnPayment } from './returns.js';
import type { DepositSteps } from './types.js';

/** `briefSlots` are shared with the other steps of the process. */
export function createDepositSteps({
  briefSlots,
  ...given
}: Omit<DepositDependencies, 'brief'> & { readonly briefSlots?: BriefSlots }): DepositSteps {
  const calls = () => new BriefCalls(undefined, briefSlots);
  const dependencies = { ...given, brief: { charges: calls(), lookUps: calls() } };
  const steps = vouching(given.sealer, 'deposit', {
    loadDeposit: (input) => loadDeposit(dependencies, input),
    cancelDeposit: (input) => cancelDeposit(dependencies, input),
    cancelDepositByStaff: (input) => cancelDepositByStaff(dependencies, input),
    expireDeposit: (input) => expireDeposit(dependencies, input),
    expireDepositNow: (input) => expireDepositNow(dependencies, input),
    approveDeposit: (input) => approveDeposit(dependencies, input),
    requestReturn: (input) => askForReturn(dependencies, input),
    openDeposit: (input) => openDeposit(dependencies, input),
    examineChargeBriefly: (input) => examineChargeBriefly(dependencies, input),
    createCharge: (input) => createCharge(dependencies, input),
    examineCharge: (input) => examineCharge(dependencies, input),
    returnPayment: (input) => returnPayment(dependencies, input),
    followReturn: (input) => followReturn(dependencies, input),
  } satisfies DepositSteps as DepositSteps);
  return {
    ...steps,
    examineChargeBriefly: async (input) => withoutHeldInstructions(await steps.examineChargeBriefly(input), input),
    examineCharge: async (input) => withoutHeldInstructions(await steps.examineCharge(input), input),
  };
}
