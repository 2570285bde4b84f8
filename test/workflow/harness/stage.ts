// What a workflow test runs on: a time-skipping Temporal with the real workflows, and a fake of everything around them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import type { TaskQueue } from '../../../contract/temporal/task-queues.js';
import { deliveryStarts } from '../../../worker/delivery-starts.js';
import { FakeWorld } from '../../support/fake-activities.js';
import {
  startRealTemporal,
  startTimeSkippingTemporal,
  type TimeSkippingTemporal,
  type WorkerTuning,
} from '../../support/temporal.js';

/** What the payments of a test need of what they run on. */
export interface PaymentStage {
  readonly world: FakeWorld;
  readonly temporal: Pick<TimeSkippingTemporal, 'client'>;
  /** RFC 3339. */
  now(): Promise<string>;
}

export class Stage implements PaymentStage {
  readonly world = new FakeWorld();
  private running: Pick<TimeSkippingTemporal, 'client' | 'nowMs' | 'sleep' | 'close'> | null = null;

  /** `isReal`: on the tests' dev server, where a lost run can be terminated and time cannot be skipped. */
  constructor(
    private readonly without: readonly TaskQueue[],
    private readonly isReal = false,
    private readonly tuning: WorkerTuning = {},
  ) {}

  get temporal(): Pick<TimeSkippingTemporal, 'client' | 'nowMs' | 'sleep' | 'close'> {
    if (this.running === null) throw new Error('the stage is set up in before()');
    return this.running;
  }

  async open(): Promise<void> {
    const activities = this.world.activities();
    this.world.clock = () => this.temporal.nowMs();
    this.running = this.isReal
      ? { ...(await startRealTemporal(activities, this.tuning)), sleep: (milliseconds) => sleep(milliseconds) }
      : await startTimeSkippingTemporal(activities, this.without, this.tuning);
    const { connection, options } = this.running.client;
    this.world.startDelivery = deliveryStarts(new Client({ connection, namespace: options.namespace }));
  }

  async close(): Promise<void> {
    await this.running?.close();
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

export function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '');
}
