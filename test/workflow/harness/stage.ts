// What a workflow test runs on: Temporal with the real workflows, and a fake of everything around them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import { deliveryStarts } from '../../../worker/temporal-calls.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { modelTemporal, type ModelSettings } from '../../support/lab-temporal.js';
import {
  type RunningTemporal,
  startRealTemporal,
  startTimeSkippingTemporal,
  type TimeSkippingTemporal,
} from '../../support/temporal.js';

/** What the payments of a test need of what they run on. */
export interface PaymentStage {
  readonly world: FakeWorld;
  readonly temporal: Pick<RunningTemporal, 'client'>;
  /** RFC 3339. */
  now(): Promise<string>;
}

type SkippingTemporal = Pick<TimeSkippingTemporal, 'client' | 'nowMs' | 'sleep' | 'close'>;

/**
 * `model`: the lab's model of Temporal, for what workflows decide. `time-skipping server`: for what a server has to do
 * with. `dev server`: for its limits and ends of runs; time is real.
 */
export type StagePlace = 'model' | 'time-skipping server' | 'dev server';

export class Stage implements PaymentStage {
  readonly world = new FakeWorld();
  private running: SkippingTemporal | null = null;

  constructor(
    private readonly place: StagePlace,
    private readonly settings: ModelSettings = {},
  ) {}

  get temporal(): SkippingTemporal {
    if (this.running === null) throw new Error('the stage is set up in before()');
    return this.running;
  }

  async open(): Promise<void> {
    const activities = this.world.activities();
    this.world.clock = () => this.temporal.nowMs();
    if (this.place === 'model') {
      const model = modelTemporal(activities, this.settings);
      this.running = model;
      this.world.startDelivery = deliveryStarts(model.wholeClient);
      return;
    }
    this.running =
      this.place === 'dev server'
        ? { ...(await startRealTemporal(activities)), sleep: (milliseconds) => sleep(milliseconds) }
        : await startTimeSkippingTemporal(activities, this.settings);
    const { connection, options } = this.running.client;
    this.world.startDelivery = deliveryStarts(
      new Client({ dataConverter: DATA_CONVERTER, connection, namespace: options.namespace }),
    );
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
