// The stage of a workflow test: a time-skipping Temporal, the real workflows, and the faked world outside them. One per file.
import { randomUUID } from 'node:crypto';
import type { TaskQueue } from '../../../contract/temporal/task-queues.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { startTimeSkippingTemporal, type TimeSkippingTemporal } from '../../support/temporal.js';
import { DepositCase, type DepositWishes } from './deposit-case.js';
import { WithdrawalCase, type WithdrawalWishes } from './withdrawal-case.js';

const STARTUP_TIMEOUT_MS = 150_000;

export class Gateway {
  readonly world = new FakeWorld();
  private running: TimeSkippingTemporal | null = null;

  constructor(private readonly without: readonly TaskQueue[]) {}

  get temporal(): TimeSkippingTemporal {
    if (this.running === null) throw new Error('the stage is set up in before()');
    return this.running;
  }

  async open(): Promise<void> {
    this.running = await startTimeSkippingTemporal(this.world.activities(), this.without);
  }

  async close(): Promise<void> {
    await this.running?.close();
  }

  /** A deposit that is not created yet. */
  newDeposit(wishes: DepositWishes = {}): DepositCase {
    return new DepositCase(this, wishes);
  }

  /** A deposit that is `pending`. */
  async pendingDeposit(wishes: DepositWishes = {}): Promise<DepositCase> {
    const deposit = this.newDeposit(wishes);
    await deposit.create();
    return deposit;
  }

  /** A withdrawal that is not created yet, of an operation with money in its cash box. */
  newWithdrawal(wishes: WithdrawalWishes = {}): WithdrawalCase {
    return new WithdrawalCase(this, wishes);
  }

  /** Skips time. */
  async sleep(seconds: number): Promise<void> {
    await this.temporal.sleep(Math.round(seconds * 1000));
  }

  /** Skips to an instant; past ones are no instant to skip to. */
  async sleepUntil(instant: string, plusSeconds = 0): Promise<void> {
    const milliseconds = Date.parse(instant) + plusSeconds * 1000 - (await this.temporal.nowMs());
    if (milliseconds < 0) throw new Error(`${instant} + ${plusSeconds} s is over`);
    await this.temporal.sleep(milliseconds);
  }

  async now(plusSeconds = 0): Promise<string> {
    return new Date((await this.temporal.nowMs()) + plusSeconds * 1000).toISOString();
  }
}

/** Sets the stage for the tests of a file. `without`: task queues that nobody serves. */
export function useGateway({ without = [] }: { without?: readonly TaskQueue[] } = {}): Gateway {
  const gateway = new Gateway(without);
  before(async function () {
    this.timeout(STARTUP_TIMEOUT_MS);
    await gateway.open();
  });
  // What a test leaves open goes on by itself and disturbs nobody. (Terminated in the middle of a task, a workflow leaves this
  // server's clock locked.)
  afterEach(() => gateway.world.heal());
  after(() => gateway.close());
  return gateway;
}

export function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '');
}
