// What a withdrawal's workflow has seen of a send that nobody answered, and the request to conclude that it was never accepted.
import type { PayoutFinding } from '../../activities/types.js';
import type { WithdrawalConclusion } from '../../contract/temporal/withdrawal.js';
import {
  type ConclusionAct,
  conclusionStep,
  type ConclusionStep,
  lapseOf,
  NEVER_ACCEPTED,
  type Tracelessness,
} from '../../domain/lost-payout.js';
import { now } from '../steps/clock.js';
import { applyPayout } from './payouts.js';
import type { WithdrawalRecord } from './record.js';

const REFUSED: PayoutFinding = {
  status: 'failed',
  endToEndId: null,
  failureCode: NEVER_ACCEPTED,
  paidAt: null,
  returned: false,
};

export class LostPayout {
  private traceless: Tracelessness = { lookUps: 0, since: null };
  private pending: ConclusionAct | null = null;

  /** A look-up was answered, and nothing was found. */
  foundNothing(): void {
    this.traceless = { lookUps: this.traceless.lookUps + 1, since: this.traceless.since ?? now() };
  }

  /** The provider has said anything at all of it: what people asked for lapses, and the wait begins anew. */
  showsTrace(): void {
    this.traceless = { lookUps: 0, since: null };
    this.pending = null;
  }

  step(word: WithdrawalConclusion): ConclusionStep {
    return conclusionStep(word, { traceless: this.traceless, pending: this.pending, at: now() });
  }

  /** Stores the first person's request. Answers when it lapses. */
  async request(record: WithdrawalRecord, word: WithdrawalConclusion): Promise<string> {
    const act: ConclusionAct = { ...word, decision: 'request_conclusion', at: now() };
    await record.note({ conclusions: [...(record.withdrawal.conclusions ?? []), act] });
    this.pending = act;
    return lapseOf(act);
  }

  /**
   * The second person's word, after a last look that found nothing: what the provider has put in writing is its first reply, and it
   * is a refusal. False, and nothing changes, where the request has lapsed meanwhile.
   */
  async confirm(record: WithdrawalRecord, word: WithdrawalConclusion): Promise<boolean> {
    if (record.withdrawal.status !== 'approved' || this.step(word).kind !== 'confirm') return false;
    const act: ConclusionAct = { ...word, decision: 'confirm_conclusion', at: now() };
    await record.move('provider_replied', { conclusions: [...(record.withdrawal.conclusions ?? []), act] });
    await applyPayout(record, REFUSED);
    return true;
  }

  /** What people have asked for, for the payment's page; empty where nobody asked. */
  get pendingRequest(): string {
    if (this.pending === null) return '';
    const { person } = this.pending;
    return ` (${person} asks to conclude that it never arrived; another person confirms by ${lapseOf(this.pending)})`;
  }
}
