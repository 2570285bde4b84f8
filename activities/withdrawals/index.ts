// The steps of a withdrawal.
import { missingRowsAreFinal } from '../missing-rows.js';
import { vouching } from '../payments/vouching.js';
import { createActSteps } from './acts.js';
import { createDispatchStep } from './dispatch.js';
import { createJudgingSteps } from './judge.js';
import { createKeyOwnerStep } from './key-owner.js';
import { createLookUpStep } from './look-up.js';
import { createOpening } from './open.js';
import type { WithdrawalDependencies } from './ports.js';
import { createSendStep } from './send.js';
import type { WithdrawalSteps } from './types.js';
import { createWriteOffStep } from './write-off.js';

export function createWithdrawalSteps(dependencies: WithdrawalDependencies): WithdrawalSteps {
  const steps = finalWithoutRow({
    ...createActSteps(dependencies),
    ...createWriteOffStep(dependencies),
    ...createOpening(dependencies),
    ...createJudgingSteps(dependencies),
    ...createDispatchStep(dependencies),
    ...createKeyOwnerStep(dependencies),
    ...createSendStep(dependencies),
    ...createLookUpStep(dependencies),
  });
  return vouching(dependencies.sealer, 'withdrawal', steps);
}

type Step = (input: never) => Promise<unknown>;

/** The same steps; a row that does not exist is a final failure. */
function finalWithoutRow(steps: WithdrawalSteps): WithdrawalSteps {
  const wrapped = Object.entries(steps as unknown as Record<string, Step>).map(([name, step]) => [
    name,
    (input: never) => missingRowsAreFinal(() => step(input)),
  ]);
  return Object.fromEntries(wrapped) as WithdrawalSteps;
}
