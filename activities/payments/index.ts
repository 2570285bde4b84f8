// The steps of deposits and withdrawals over what they depend on. Every answer carries the proof of its snapshot, so
// that what the process then answers to a caller can be believed, and what anybody else answers cannot.
import type { Sealer } from '../../store/sealing/sealer.js';
import { type PaymentKind, vouchFor } from '../../store/sealing/proofs.js';
import { BriefCalls, type BriefSlots } from '../provider/brief-calls.js';
import {
  approveDeposit,
  askForReturn,
  cancelDeposit,
  cancelDepositByStaff,
  expireDeposit,
  expireDepositNow,
  loadDeposit,
} from './deposit/acts.js';
import { lookUpCharge, lookUpChargeBriefly } from './deposit/look-up.js';
import { createCharge, openDeposit } from './deposit/open.js';
import { type DepositDependencies, withoutHeldInstructions } from './deposit/ports.js';
import { followReturn } from './deposit/returns.js';
import type { DepositSteps, WithdrawalSteps } from './types.js';
import {
  approveWithdrawal,
  cancelWithdrawal,
  cancelWithdrawalByStaff,
  decideWriteOff,
  loadWithdrawal,
  refuseWithdrawal,
} from './withdrawal/acts.js';
import { decideRequested, judgeReviewed, lookUpKeyOwner } from './withdrawal/judge.js';
import { followPayout, lookUpPayout, lookUpPayoutBriefly } from './withdrawal/look-up.js';
import { openWithdrawal } from './withdrawal/open.js';
import type { WithdrawalDependencies } from './withdrawal/ports.js';
import { clearDispatch, sendPayout } from './withdrawal/send.js';

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

type Step<Dependencies> = (dependencies: Dependencies, input: never) => Promise<unknown>;

/** The steps as workflows call them: with their input only. */
type Callable<Steps> = {
  readonly [Name in keyof Steps]: Steps[Name] extends (dependencies: never, input: infer Input) => infer Answer
    ? (input: Input) => Answer
    : never;
};

/** The steps over what they depend on. Each vouches for what it answers. */
function answering<
  Dependencies extends { readonly sealer: Sealer },
  Steps extends Readonly<Record<string, Step<Dependencies>>>,
>(kind: PaymentKind, dependencies: Dependencies, steps: Steps): Callable<Steps> {
  const answeringStep = (step: Step<Dependencies>) => async (input: never) => {
    const answer = await step(dependencies, input);
    return isStored(answer) ? { ...answer, state: proven(dependencies.sealer, kind, answer.state) } : answer;
  };
  const named = Object.entries(steps);
  return Object.fromEntries(named.map(([name, step]) => [name, answeringStep(step)])) as Callable<Steps>;
}

interface StoredAnswer {
  readonly state: Readonly<Record<string, unknown>>;
}

function isStored(answer: unknown): answer is StoredAnswer {
  return typeof answer === 'object' && answer !== null && 'state' in answer;
}

function proven(sealer: Sealer, kind: PaymentKind, state: StoredAnswer['state']): StoredAnswer['state'] {
  return { ...state, proof: vouchFor(sealer, kind, state['snapshot'] as Parameters<typeof vouchFor>[2]) };
}
