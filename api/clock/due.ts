// What an operation's clock makes due next, and whether everything that it made due is done: the payments' workflows
// say so, and the outbox of webhooks.
import type { NextStep } from '../../contract/temporal/payment.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { ClockSignals } from '../../platform/temporal/clock-signals.js';
import type { Database } from '../../store/database.js';
import { makeAttemptDue, openPayments, waitingDeliveries, type WaitingDelivery } from '../../store/operations/clock.js';

/** So many open payments, and deliveries, are followed. */
const MOST_FOLLOWED = 300;
/** What has waited longer for a provider is not waited for: it goes on by itself, whatever the clock shows. */
const PATIENCE_MS = 2_000;
/** A payment that did so many steps in a row without a change is looked at less often: at most every six hours. */
const STEPS_WITHOUT_CHANGE = 12;
const LONGEST_GAP_MS = 6 * 3_600_000;

/** Something that the clock made due and that is not done. */
export interface Pending {
  readonly objectId: string;
  /** `due`: it is due and nobody has done it yet. `under_way`: a provider, or an operator, is waited for. */
  readonly kind: 'due' | 'under_way';
}

interface Followed {
  readonly step: NextStep;
  /** Steps in a row that changed nothing, and when the last one was due. */
  readonly idle: { readonly steps: number; readonly atMs: number };
}

export class Due {
  private readonly payments = new Map<string, Followed>();
  private deliveries: readonly WaitingDelivery[] = [];
  /** The revision of the clock that each was told last, while it may still act on it. */
  private readonly told = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly signals: ClockSignals,
    private readonly operationId: string,
  ) {}

  /** Tells everybody the clock. */
  async tellAll(clock: OperationClock): Promise<void> {
    await this.refresh();
    const ids = [...(await this.open()), ...this.planned().map(({ eventId }) => eventId)];
    await this.signals.tell(ids, clock);
    for (const id of ids) this.told.set(id, clock.revision);
  }

  /** Tells those for whom something is due by it, and makes it due. */
  async tellDue(clock: OperationClock, at: string): Promise<void> {
    const payments = [...this.payments].filter(([, followed]) => dueMs(followed) <= Date.parse(at));
    const events = this.planned().filter(({ plannedAt }) => plannedAt! <= at);
    for (const [id, followed] of payments) {
      this.told.set(id, clock.revision);
      this.payments.set(id, { ...followed, idle: { steps: followed.idle.steps + 1, atMs: Date.parse(at) } });
    }
    const lost = await this.signals.tell(
      [...payments.map(([id]) => id), ...events.map(({ eventId }) => eventId)],
      clock,
    );
    const of = new Set(events.map(({ eventId }) => eventId));
    for (const id of lost) if (of.has(id)) await makeAttemptDue(this.database, this.operationId, id);
  }

  /** The next moment after `at`, and up to `until`, at which something is due (RFC 3339); `null` without one. */
  next(at: string, until: string): string | null {
    const times = [
      ...[...this.payments.values()].map((followed) => dueMs(followed)),
      ...this.planned().map(({ plannedAt }) => Date.parse(plannedAt!)),
    ].filter((ms) => ms > Date.parse(at) && ms <= Date.parse(until));
    return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
  }

  /** What is not done of what is due at that moment. `isOver`: nothing that has to be waited for. */
  async pending(at: string): Promise<{ readonly pending: readonly Pending[]; readonly isOver: boolean }> {
    await this.refresh();
    const pending: Pending[] = [];
    let isOver = true;
    const note = (objectId: string, kind: Pending['kind'], mustWait: boolean) => {
      pending.push({ objectId, kind });
      if (mustWait) isOver = false;
    };
    for (const [id, payment] of this.payments) {
      const { step } = payment;
      const isTold = step.clockRevision >= (this.told.get(id) ?? 0);
      if (!isTold || dueMs(payment) <= Date.parse(at)) note(id, 'due', true);
      else if (step.busySince !== null) note(id, 'under_way', Date.now() - Date.parse(step.busySince) < PATIENCE_MS);
      else this.told.delete(id);
    }
    for (const { eventId, plannedAt } of this.deliveries)
      if (plannedAt === null || plannedAt <= at) note(eventId, 'under_way', true);
    return { pending, isOver };
  }

  private planned(): readonly WaitingDelivery[] {
    return this.deliveries.filter(({ plannedAt }) => plannedAt !== null);
  }

  private open(): Promise<readonly string[]> {
    return openPayments(this.database, this.operationId, MOST_FOLLOWED);
  }

  /**
   * Asks the payments that are new or were told something, then reads the deliveries: a payment is over in the
   * statement that puts its event into the outbox.
   */
  private async refresh(): Promise<void> {
    const open = await this.open();
    for (const id of this.payments.keys()) if (!open.includes(id)) this.payments.delete(id);
    const asked = open.filter((id) => this.told.has(id) || !this.payments.has(id));
    for (const [id, reply] of await this.signals.nextSteps(asked)) {
      if (reply.kind === 'answer' && reply.value !== null)
        this.payments.set(id, followed(this.payments.get(id), reply.value));
      else if (reply.kind === 'closed') this.payments.delete(id);
    }
    this.deliveries = await waitingDeliveries(this.database, this.operationId, MOST_FOLLOWED);
  }
}

function followed(before: Followed | undefined, step: NextStep): Followed {
  const isChanged = before === undefined || before.step.revision !== step.revision;
  return { step, idle: isChanged ? { steps: 0, atMs: 0 } : before.idle };
}

/** When the payment's next step is due; later if its last ones changed nothing. */
function dueMs({ step: { dueAt }, idle }: Followed): number {
  if (dueAt === null) return Infinity;
  const due = Date.parse(dueAt);
  if (idle.steps < STEPS_WITHOUT_CHANGE) return due;
  const gapMs = Math.min(LONGEST_GAP_MS, 60_000 * 2 ** (idle.steps - STEPS_WITHOUT_CHANGE));
  return Math.max(due, idle.atMs + gapMs);
}
