// Dispatch of an approved withdrawal: checks lists, cash box and operation, then sends the payout once. What cannot be
// sent yet is checked again later.
import { ActivityFailure, TimeoutFailure } from '@temporalio/workflow';
import type { SendResult } from '../../activities/types.js';
import { formatBrl } from '../../domain/money.js';
import { type DispatchVerdict, isDispatchVerdict } from '../../domain/rules/verdicts.js';
import { payoutSend, rules } from '../steps/activity-proxies.js';
import type { BackgroundCalls } from '../steps/background-calls.js';
import { now, secondsAfter } from '../steps/clock.js';
import { askRules, type RulesAnswer } from '../steps/rules-answer.js';
import type { StatusReporter, Wait } from '../steps/status-reporter.js';
import type { WithdrawalItem } from './inbox-item.js';
import type { LookUps } from './look-ups.js';
import { applyPayout } from './payouts.js';
import type { WithdrawalRecord } from './record.js';
import type { UnknownOutcome } from './unknown-outcome.js';

/** Progress of the dispatch. From `sending` on, no cancel can stop the payout. */
export type DispatchPhase =
  /** The check starts next. */
  | { readonly phase: 'due' }
  /** Waits for the verdict of the rules. */
  | { readonly phase: 'checking' }
  /** Waits for the next check, at `until`. */
  | { readonly phase: 'waiting'; readonly wait: Wait; readonly until: string }
  /** Waits for the result of the one send. */
  | { readonly phase: 'sending'; readonly since: string }
  /** Sent, or possibly sent: waits for a conclusive look-up. */
  | { readonly phase: 'sent' };

/** Seconds until the next check of a withdrawal that cannot be sent yet, by the number of checks made. */
type Pause = (checks: number) => number;
/** For waits that a person must end. */
const pauseForPeople: Pause = (checks) => [10, 20, 30, 60, 120, 300][checks] ?? 900;
/** For outages of rules or provider: dispatch resumes within a minute of their return, in the first half day. */
const pauseForOutage: Pause = (checks) => [10, 20, 30][checks] ?? (checks <= 1_002 ? 45 : 900);
const HOURS_RECHECK_SECONDS = 300;

interface Surroundings {
  readonly background: BackgroundCalls;
  readonly reporter: StatusReporter;
  readonly lookUps: LookUps;
  readonly outcome: UnknownOutcome;
  put(item: WithdrawalItem): void;
  /** Reports the wait that the dispatch is now in. */
  reportWait(record: WithdrawalRecord): void;
}

export class Dispatch {
  private current: DispatchPhase = { phase: 'due' };
  private rechecks = 0;
  /** Attempts to send, and the last of them that is known to have sent nothing. */
  private sends = { attempt: 0, knownUnsent: 0 };

  constructor(private readonly surroundings: Surroundings) {}

  get state(): DispatchPhase {
    return this.current;
  }

  /** The send has left, or may have: from here on only the provider's answer counts. */
  get hasLeft(): boolean {
    return this.current.phase === 'sending' || this.current.phase === 'sent';
  }

  /** Ends a wait: the next check is due. */
  recheck(): void {
    this.current = { phase: 'due' };
  }

  /** Starts the checks before the send, in the background. */
  startCheck({ withdrawal }: WithdrawalRecord): void {
    const { background, put } = this.surroundings;
    this.current = { phase: 'checking' };
    background.start(async () => {
      const question = { withdrawalId: withdrawal.id, operationId: withdrawal.operationId, at: now() };
      const ask = () => rules.decideDispatch('check lists, cash box and operation before sending', question);
      const answer = await askRules(ask, isDispatchVerdict);
      put({ kind: 'dispatch_verdict', answer });
    });
  }

  /** Applies the verdict of the checks. `lookupEndToEndId` is passed into the payout. */
  async checked(
    record: WithdrawalRecord,
    answer: RulesAnswer<DispatchVerdict>,
    lookupEndToEndId: string | null,
  ): Promise<void> {
    if (record.withdrawal.status !== 'approved' || this.current.phase !== 'checking') return;
    if (answer.kind !== 'verdict') return this.checkUnavailable(record);
    const { verdict } = answer;
    switch (verdict.kind) {
      case 'send':
        return this.startSend(record, lookupEndToEndId);
      case 'blocked': {
        const { decision } = record.withdrawal;
        return record.move('blocked_at_dispatch', {
          decision: { ...decision, reasons: [...decision.reasons, 'BLOCKLIST_HIT_AT_DISPATCH'] },
        });
      }
      case 'wait':
        return this.wait(record, verdict);
    }
  }

  /** Applies the result of the send. */
  async sent(record: WithdrawalRecord, result: SendResult): Promise<void> {
    switch (result.kind) {
      case 'reply':
        await applyPayout(record, result.payout);
        return this.follow(record);
      case 'unknown':
        this.surroundings.outcome.begin(result.reason);
        return this.follow(record);
      case 'not_sent':
        this.recheckLater({ for: 'payout_reply', next: 'the first send is tried again', until: null }, pauseForOutage);
        this.surroundings.reporter.reportError(`nothing was sent (${result.reason})`);
        return record.alert('PROVIDER_UNREACHABLE', `nothing was sent (${result.reason})`);
      case 'guarded':
        this.recheckLater({ for: 'dispatch_check', next: 'checked again', until: null });
        return record.alert('PAYOUT_ENVIRONMENT_GUARD', 'its operation belongs to another environment');
    }
  }

  private checkUnavailable(record: WithdrawalRecord): Promise<void> {
    const { reporter, reportWait } = this.surroundings;
    this.recheckLater({ for: 'dispatch_check', next: 'the rules engine is asked again', until: null }, pauseForOutage);
    reportWait(record);
    reporter.reportError('the rules engine does not answer');
    return record.alert('DISPATCH_CHECK_UNAVAILABLE', 'the checks before sending cannot be made');
  }

  private wait(record: WithdrawalRecord, verdict: Extract<DispatchVerdict, { readonly kind: 'wait' }>): Promise<void> {
    switch (verdict.for) {
      case 'automatic_hours': {
        // Checked earlier as well: the rule set may change before the window opens.
        const recheck = secondsAfter(now(), HOURS_RECHECK_SECONDS);
        const until = recheck < verdict.until ? recheck : verdict.until;
        const next = `checked again (the window opens at ${verdict.until})`;
        this.current = { phase: 'waiting', wait: { for: 'automatic_hours', next, until }, until };
        return Promise.resolve();
      }
      case 'cash_box':
        this.recheckLater({ for: 'cash_box', next: 'checked again', until: null });
        return record.alert('CASH_BOX_SHORT', 'the cash box does not cover it');
      case 'operation_suspended':
        this.recheckLater({ for: 'dispatch_check', next: 'checked again', until: null });
        return record.alert('OPERATION_SUSPENDED', 'the operation is suspended');
    }
  }

  private startSend({ order }: WithdrawalRecord, lookupEndToEndId: string | null): void {
    const { background, put } = this.surroundings;
    this.current = { phase: 'sending', since: now() };
    background.start(async () => {
      put({ kind: 'send_result', result: await this.sendOnce(order, lookupEndToEndId) });
    });
  }

  /**
   * Sends the payout. An attempt that was lost with its worker is followed by another. Only one of them can take the
   * permission to send. If the lost one took it, this one returns `unknown`. If this one takes it, the lost one can
   * never send.
   */
  private async sendOnce(order: WithdrawalRecord['order'], lookupEndToEndId: string | null): Promise<SendResult> {
    const summary = `send the payout of ${formatBrl(BigInt(order.amountMinor))} (once)`;
    for (;;) {
      const attempt = (this.sends.attempt += 1);
      const input = { order, lookupEndToEndId, attempt, takesOverFrom: this.sends.knownUnsent };
      try {
        const result = await payoutSend.sendPayout(summary, input);
        if (result.kind === 'not_sent') this.sends.knownUnsent = attempt;
        return result;
      } catch (error) {
        if (!(error instanceof ActivityFailure)) throw error;
        if (!(error.cause instanceof TimeoutFailure)) return { kind: 'unknown', reason: 'the send failed' };
      }
    }
  }

  private follow({ order }: WithdrawalRecord): void {
    const { lookUps } = this.surroundings;
    this.current = { phase: 'sent' };
    lookUps.plan();
    if (lookUps.isRequested) lookUps.start(order);
  }

  private recheckLater(wait: Wait, pauseSeconds: Pause = pauseForPeople): void {
    const until = secondsAfter(now(), pauseSeconds(this.rechecks));
    this.rechecks += 1;
    this.surroundings.lookUps.dropRequest();
    this.current = { phase: 'waiting', wait: { ...wait, until }, until };
  }
}
