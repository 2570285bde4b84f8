// Look-ups of a payout by its reference. One runs at a time; requests that arrive meanwhile share one more.
import type { PayoutFinding } from '../../activities/types.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { type CallLimit, provider } from '../steps/activity-proxies.js';
import type { BackgroundCalls } from '../steps/background-calls.js';
import { callUntilAnswered } from '../steps/call-until-answered.js';
import { now, secondsAfter } from '../steps/clock.js';
import type { Reply } from '../steps/inbox.js';

/** Pause before the next look-up, by the number of look-ups made. */
const PAUSES_SECONDS = [2, 5, 10, 30, 60, 300, 900] as const;
const LATER_PAUSE_SECONDS = 3_600;

interface Listener {
  /** `payout` is null when the provider does not know it. */
  answered(payout: PayoutFinding | null, replies: readonly Reply<WithdrawalSnapshot>[]): void;
  /** The provider has not answered for a while. The look-up continues. */
  unanswered(error: string): void;
}

export class LookUps {
  private startedAt: string | null = null;
  private replies: Reply<WithdrawalSnapshot>[] = [];
  private again = false;
  private made = 0;
  private plannedAt: string | null = null;

  constructor(
    private readonly background: BackgroundCalls,
    private readonly listener: Listener,
  ) {}

  /** When the running look-up started; null when none runs. */
  get since(): string | null {
    return this.startedAt;
  }

  /** When the next look-up is due; null before the first is planned. */
  get nextAt(): string | null {
    return this.plannedAt;
  }

  /** Whether a look-up was requested that has not started. */
  get isRequested(): boolean {
    return this.again;
  }

  /** Adds a reply that the next look-up answers. */
  join(reply: Reply<WithdrawalSnapshot>): void {
    this.replies.push(reply);
  }

  /** Requests one more look-up after the running one, or after the send. */
  request(): void {
    this.again = true;
  }

  /** Withdraws the request: nothing was sent, so there is nothing to look up. */
  dropRequest(): void {
    this.again = false;
  }

  plan(): void {
    this.plannedAt = secondsAfter(now(), PAUSES_SECONDS[this.made] ?? LATER_PAUSE_SECONDS);
  }

  /** Starts a look-up in the background, and further ones while they are requested. */
  start(order: WithdrawalOrder): void {
    this.background.start(() => this.run(order));
  }

  private async run(order: WithdrawalOrder): Promise<void> {
    do {
      const replies = this.replies.splice(0);
      this.again = false;
      this.startedAt = now();
      const call = (limit: CallLimit) => provider.lookUpPayout('look the payout up by its reference', { order }, limit);
      const found = await callUntilAnswered(call, (error) => this.listener.unanswered(error));
      this.made += 1;
      this.startedAt = null;
      this.plan();
      this.listener.answered(found.kind === 'found' ? found.payout : null, replies);
    } while (this.again);
  }
}
