// Tells the workflows of an operation of the sandbox its clock, and asks them what is due next.
import { clockSet, type NextStep, nextStep } from '../../contract/temporal/payment.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import { ask, type Deadlines, type Reply, type TemporalClient } from './calls.js';

/** Calls under way at once. */
const AT_ONCE = 16;

export class ClockSignals {
  constructor(
    private readonly temporal: TemporalClient,
    private readonly deadlines: Deadlines,
  ) {}

  /** Tells the workflows with these ids. @returns those that do not run */
  async tell(ids: readonly string[], clock: OperationClock): Promise<readonly string[]> {
    const replies = await this.each(ids, (id) =>
      ask(this.temporal, Date.now() + this.deadlines.signalMs, () =>
        this.temporal.getHandle(id).signal(clockSet, clock),
      ),
    );
    return ids.filter((id) => replies.get(id)?.kind === 'closed');
  }

  /** What each of these payments does next, as its workflow says. */
  async nextSteps(ids: readonly string[]): Promise<ReadonlyMap<string, Reply<NextStep | null>>> {
    return this.each(ids, (id) =>
      ask(this.temporal, Date.now() + this.deadlines.queryMs, () => this.temporal.getHandle(id).query(nextStep)),
    );
  }

  private async each<Answer>(
    ids: readonly string[],
    call: (id: string) => Promise<Answer>,
  ): Promise<Map<string, Answer>> {
    const answers = new Map<string, Answer>();
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE);
      const answered = await Promise.all(some.map(async (id) => [id, await call(id)] as const));
      for (const [id, answer] of answered) answers.set(id, answer);
    }
    return answers;
  }
}
