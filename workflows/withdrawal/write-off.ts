// Writes off a payout whose send was never answered: counts look-ups without a trace, takes the decisions of two
// people, and looks the payout up once more before the second one takes effect.
import { ActivityFailure } from '@temporalio/workflow';
import type { PayoutFinding } from '../../activities/types.js';
import type { WithdrawalOrder, WriteOffDecision, WriteOffOutcome } from '../../contract/temporal/withdrawal.js';
import {
  lapseOf,
  NEVER_ACCEPTED,
  type Tracelessness,
  type WriteOffAct,
  writeOffStep,
  type WriteOffStep,
} from '../../domain/write-off.js';
import { providerBriefly } from '../steps/activity-proxies.js';
import type { BackgroundCalls } from '../steps/background-calls.js';
import { now } from '../steps/clock.js';
import type { Reply } from '../steps/inbox.js';
import type { LastLookItem } from './inbox-item.js';
import { applyPayout } from './payouts.js';
import type { WithdrawalRecord } from './record.js';

const NEVER_ACCEPTED_PAYOUT: PayoutFinding = {
  status: 'failed',
  endToEndId: null,
  failureCode: NEVER_ACCEPTED,
  paidAt: null,
  returned: false,
};

export class WriteOff {
  private traceless: Tracelessness = { lookUps: 0, since: null };
  private pending: WriteOffAct | null = null;

  constructor(
    private readonly background: BackgroundCalls,
    private readonly put: (item: LastLookItem) => void,
  ) {}

  /** A look-up was answered, and nothing was found. */
  foundNothing(): void {
    this.traceless = { lookUps: this.traceless.lookUps + 1, since: this.traceless.since ?? now() };
  }

  /** The provider knows the payout: the pending request lapses and the count starts again. */
  foundTrace(): void {
    this.traceless = { lookUps: 0, since: null };
    this.pending = null;
  }

  /** The pending request, for the payment's page; empty when there is none. */
  get pendingRequest(): string {
    if (this.pending === null) return '';
    const { person } = this.pending;
    return ` (${person} asks to conclude that it never arrived; another person confirms by ${lapseOf(this.pending)})`;
  }

  /** Applies one person's decision: the first is stored as a request, the second starts one more look-up. */
  async decide(record: WithdrawalRecord, decision: WriteOffDecision, reply: Reply<WriteOffOutcome>): Promise<void> {
    const step = this.step(decision);
    switch (step.kind) {
      case 'request': {
        const lapsesAt = await this.request(record, decision);
        return reply.answer({ kind: 'requested', withdrawal: record.withdrawal, lapsesAt });
      }
      case 'confirm':
        return this.startLastLook(record.order, decision, reply);
      case 'too_early':
      case 'same_person':
      case 'other_evidence':
        return reply.answer({ ...step, withdrawal: record.withdrawal });
    }
  }

  /** Applies the look-up that followed the second person's decision. */
  async lastLooked(record: WithdrawalRecord, { found, decision, reply }: LastLookItem): Promise<void> {
    if (found === 'no_answer') return reply.answer({ kind: 'provider_silent', withdrawal: record.withdrawal });
    if (found !== 'nothing') {
      this.foundTrace();
      await applyPayout(record, found);
    }
    const isWrittenOff = found === 'nothing' && (await this.confirm(record, decision));
    reply.answer({ kind: isWrittenOff ? 'concluded' : 'lapsed', withdrawal: record.withdrawal });
  }

  private step(decision: WriteOffDecision): WriteOffStep {
    return writeOffStep(decision, { traceless: this.traceless, pending: this.pending, at: now() });
  }

  /** Stores the first person's request. Returns when it lapses. */
  private async request(record: WithdrawalRecord, decision: WriteOffDecision): Promise<string> {
    const act: WriteOffAct = { ...decision, decision: 'request_conclusion', at: now() };
    await record.note({ conclusions: [...(record.withdrawal.conclusions ?? []), act] });
    this.pending = act;
    return lapseOf(act);
  }

  private startLastLook(order: WithdrawalOrder, decision: WriteOffDecision, reply: Reply<WriteOffOutcome>): void {
    this.background.start(async () => {
      this.put({ kind: 'last_look', found: await lastLook(order), decision, reply });
    });
  }

  /**
   * Ends the withdrawal as the provider's written refusal says: with a first reply that reports a failure. Returns
   * false and changes nothing when the request has lapsed meanwhile.
   */
  private async confirm(record: WithdrawalRecord, decision: WriteOffDecision): Promise<boolean> {
    if (record.withdrawal.status !== 'approved' || this.step(decision).kind !== 'confirm') return false;
    const act: WriteOffAct = { ...decision, decision: 'confirm_conclusion', at: now() };
    await record.move('provider_replied', { conclusions: [...(record.withdrawal.conclusions ?? []), act] });
    await applyPayout(record, NEVER_ACCEPTED_PAYOUT);
    return true;
  }
}

async function lastLook(order: WithdrawalOrder): Promise<LastLookItem['found']> {
  try {
    const found = await providerBriefly.lookUpPayout('look once more before it is concluded', { order });
    return found.kind === 'found' ? found.payout : 'nothing';
  } catch (error) {
    if (error instanceof ActivityFailure) return 'no_answer';
    throw error;
  }
}
