// The check of a PIX key's holder while the withdrawal is `requested`: DICT is asked until it answers or the budget is
// spent, then the rules decide.
import { DICT_BACKOFF_SECONDS, DICT_CHECK_BUDGET_SECONDS } from '../../domain/withdrawal.js';
import type { BackgroundCalls } from '../steps/background-calls.js';
import { millisecondsUntil, now, secondsAfter } from '../steps/clock.js';
import type { StatusReporter } from '../steps/status-reporter.js';
import { decideRequested, decideWithdrawal, type KeyOwner, lookUpKeyOwner } from './decision.js';
import type { KeyVerdictItem } from './inbox-item.js';
import type { WithdrawalRecord } from './record.js';

interface RunningCheck {
  /** Look-ups made, the one at creation included. */
  lookUps: number;
  runningSince: string | null;
  nextAt: string;
}

export class KeyCheck {
  private check: RunningCheck | null = null;
  private endToEndId: string | null = null;

  constructor(
    private readonly background: BackgroundCalls,
    private readonly reporter: StatusReporter,
    private readonly put: (item: KeyVerdictItem) => void,
  ) {}

  /** Takes over from the creation, which has looked the key up once. */
  open(lookupEndToEndId: string | null, isPending: boolean): void {
    this.endToEndId = lookupEndToEndId;
    if (isPending)
      this.check = { lookUps: 1, runningSince: null, nextAt: secondsAfter(now(), DICT_BACKOFF_SECONDS[0]) };
  }

  /** The end-to-end id of the look-up that the decision used: the payout passes it on. */
  get lookupEndToEndId(): string | null {
    return this.endToEndId;
  }

  /** When the running look-up started; null when none runs. */
  get runningSince(): string | null {
    return this.check?.runningSince ?? null;
  }

  /** When the key is looked up next; null without a check. */
  get nextAt(): string | null {
    return this.check?.nextAt ?? null;
  }

  /** Looks the key up in the background and, when the answer or the end of the budget allows it, asks the rules. */
  start(record: WithdrawalRecord): void {
    const { check } = this;
    if (check === null) return;
    check.runningSince = now();
    check.lookUps += 1;
    this.background.start(async () => {
      const owner = await lookUpKeyOwner(record.order);
      const { finding } = owner;
      const outOfTime = millisecondsUntil(secondsAfter(record.withdrawal.createdAt, DICT_CHECK_BUDGET_SECONDS)) === 0;
      const conclusive = finding !== 'unavailable' || outOfTime;
      const verdict = conclusive ? await decideWithdrawal(record.order, finding, 'dict') : null;
      this.put({ kind: 'key_verdict', ...owner, verdict });
    });
  }

  async answered(record: WithdrawalRecord, item: KeyVerdictItem): Promise<void> {
    const { verdict, ...owner } = item;
    const { check } = this;
    if (check === null || record.withdrawal.status !== 'requested') return;
    check.runningSince = null;
    if (verdict === null) return this.planNext(record, check, owner);
    this.endToEndId = owner.endToEndId;
    if (await decideRequested(record, verdict)) this.check = null;
    else this.decideAgain(record, check, owner);
  }

  private planNext(record: WithdrawalRecord, check: RunningCheck, owner: KeyOwner): void {
    const pause = DICT_BACKOFF_SECONDS[Math.min(check.lookUps, DICT_BACKOFF_SECONDS.length) - 1] ?? 60;
    const end = secondsAfter(record.withdrawal.createdAt, DICT_CHECK_BUDGET_SECONDS);
    const next = secondsAfter(now(), pause);
    check.nextAt = next < end ? next : end;
    this.reporter.reportError(`DICT does not answer (${owner.reason ?? 'no answer'})`);
  }

  /** The operation's automatic cap was used up meanwhile. The rules see that when they decide again. */
  private decideAgain(record: WithdrawalRecord, check: RunningCheck, owner: KeyOwner): void {
    check.runningSince = now();
    this.background.start(async () => {
      const verdict = await decideWithdrawal(record.order, owner.finding, 'dict');
      this.put({ ...owner, kind: 'key_verdict', verdict });
    });
  }
}
