// The gateway of a workflow test: its stage, and the payments that a test can make on it. One per file.
import { DepositCase, type DepositSettings } from './deposit-case.js';
import type { ModelSettings } from '../../support/lab-temporal.js';
import { Stage, type StagePlace } from './stage.js';
import { WithdrawalCase, type WithdrawalSettings } from './withdrawal-case.js';

const STARTUP_TIMEOUT_MS = 150_000;

export class Gateway extends Stage {
  /** A deposit that is not created yet. */
  newDeposit(settings: DepositSettings = {}): DepositCase {
    return new DepositCase(this, settings);
  }

  /** A deposit that is `pending`. */
  async pendingDeposit(settings: DepositSettings = {}): Promise<DepositCase> {
    const deposit = this.newDeposit(settings);
    await deposit.create();
    return deposit;
  }

  /** A withdrawal that is not created yet, of an operation with money in its cash box. */
  newWithdrawal(settings: WithdrawalSettings = {}): WithdrawalCase {
    return new WithdrawalCase(this, settings);
  }
}

/** Sets the stage for the tests of a file. */
export function useGateway({ on = 'model', ...settings }: ModelSettings & { on?: StagePlace } = {}): Gateway {
  const gateway = new Gateway(on, settings);
  before(async function () {
    this.timeout(STARTUP_TIMEOUT_MS);
    await gateway.open();
  });
  // What a test leaves open continues by itself and disturbs nobody. (Terminated in the middle of a task, a workflow
  // leaves this server's clock locked.)
  afterEach(() => gateway.world.heal());
  after(() => gateway.close());
  return gateway;
}
