// What a workflow test runs on: a time-skipping Temporal with the real workflows, and a fake of everything around them.
import { randomUUID } from 'node:crypto';
import type { TaskQueue } from '../../../contract/temporal/task-queues.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { startTimeSkippingTemporal, type TimeSkippingTemporal } from '../../support/temporal.js';

export class Stage {
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
