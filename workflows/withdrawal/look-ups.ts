// Look-ups of a payout by its reference: one at a time, and once more for whoever asked meanwhile.
import type { PayoutFinding } from '../../activities/types.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { provider } from '../steps/activity-proxies.js';
import { askUntilAnswered } from '../steps/asking.js';
import { now, secondsAfter } from '../steps/clock.js';
import type { Reply } from '../steps/inbox.js';

/** Until the next look-up, after so many. */
const PAUSES_SECONDS = [2, 5, 10, 30, 60, 300, 900] as const;
const LATER_PAUSE_SECONDS = 3_600;

export type Asker = Reply<WithdrawalSnapshot>;

interface Listener {
  /** Null: the provider knows nothing of it. */
  answered(payout: PayoutFinding | null, askers: readonly Asker[]): void;
  /** The provider has given no answer for a while, and goes on being asked. */
  unanswered(error: string): void;
}

export class LookUps {
  private startedAt: string | null = null;
  private askers: Asker[] = [];
  private again = false;
  private made = 0;
  private plannedAt: string | null = null;

  constructor(private readonly listener: Listener) {}

  /** Since when the provider is being asked; null where it is not. */
  get since(): string | null {
    return this.startedAt;
  }

  /** When the next one is due; null before the first is planned. */
  get nextAt(): string | null {
    return this.plannedAt;
  }

  /** Whether somebody has asked for one that has not begun. */
  get isWanted(): boolean {
    return this.again;
  }

  /** Somebody waits for the answer of the next one. */
  join(asker: Asker): void {
    this.askers.push(asker);
  }

  /** One more as soon as the provider can be asked. */
  want(): void {
    this.again = true;
  }

  /** Nothing was sent: there is nothing to look up. */
  drop(): void {
    this.again = false;
  }

  plan(): void {
    this.plannedAt = secondsAfter(now(), PAUSES_SECONDS[this.made] ?? LATER_PAUSE_SECONDS);
  }

  /** Looks it up, and again while somebody has asked meanwhile. */
  async make(order: WithdrawalOrder): Promise<void> {
    do {
      const askers = this.askers.splice(0);
      this.again = false;
      this.startedAt = now();
      const ask = (limit: object) => provider.lookUpPayout('look the payout up by its reference', { order }, limit);
      const found = await askUntilAnswered(ask, (error) => this.listener.unanswered(error));
      this.made += 1;
      this.startedAt = null;
      this.plan();
      this.listener.answered(found.kind === 'found' ? found.payout : null, askers);
    } while (this.again);
  }
}
