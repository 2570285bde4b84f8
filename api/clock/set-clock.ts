// Advances the clock of an operation of the sandbox in order: to the next moment at which something is due, where it
// stands still until that is done, and so on. What a real fortnight brings comes in the same order, in seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { ENABLED_CURRENCIES } from '../../domain/currencies.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import { dayClosesAt, lastClosedDay } from '../../domain/reconciliation.js';
import type { ClockSignals } from '../../platform/temporal/clock-signals.js';
import type { Database } from '../../store/database.js';
import {
  holdClock,
  type ReadClock,
  readClock,
  releaseClock,
  resumeAttempts,
  setClock,
  suspendAttempts,
} from '../../store/operations/clock.js';
import { freezeDays } from '../../store/reconciliation/freeze.js';
import { Due, type Pending } from './due.js';

/** An advance ends after so long, wherever it is: the caller waits. */
const BUDGET_MS = 15_000;
/** What is due at one moment has so long. */
const SETTLE_MS = 5_000;
const POLL_MS = 40;
/** Longer than an advance takes: a process that dies in one lets go of the clock. */
const HOLD_SECONDS = 25;

export interface ClockServices {
  readonly database: Database;
  readonly signals: ClockSignals;
}

export interface ClockOrder {
  readonly operationId: string;
  /** To which moment (RFC 3339), given the operation's time; the answer is a refusal if it is not one. */
  readonly target: (clock: ReadClock) => string | { readonly refusal: string };
  /** Whether it stands still then; `null`: as before. */
  readonly isFrozen: boolean | null;
}

export type ClockOutcome =
  | {
      readonly kind: 'set';
      readonly read: ReadClock;
      readonly target: string;
      readonly isReached: boolean;
      readonly pending: readonly Pending[];
    }
  /** Another advance is under way. */
  | { readonly kind: 'held' }
  | { readonly kind: 'refused'; readonly refusal: string };

/** Sets the clock. It may stop before the target: a repeat goes on from there. */
export async function moveClock(services: ClockServices, order: ClockOrder): Promise<ClockOutcome> {
  const { database } = services;
  const { operationId } = order;
  const held = await holdClock(database, operationId, HOLD_SECONDS);
  if (held === null) return { kind: 'held' };
  try {
    const target = order.target(held);
    if (typeof target !== 'string') return { kind: 'refused', refusal: target.refusal };
    const isFrozen = order.isFrozen ?? (held.clock?.frozenAt ?? null) !== null;
    const outcome = await new Advance(services, operationId, held.now).to(target, isFrozen);
    return { kind: 'set', target, ...outcome, read: { ...(await readClock(database, operationId)), isHeld: false } };
  } finally {
    await releaseClock(database, operationId);
  }
}

class Advance {
  private readonly due: Due;
  private readonly endMs = performance.now() + BUDGET_MS;

  constructor(
    private readonly services: ClockServices,
    private readonly operationId: string,
    private at: string,
  ) {
    this.due = new Due(services.database, services.signals, operationId);
  }

  async to(target: string, isFrozen: boolean): Promise<{ isReached: boolean; pending: readonly Pending[] }> {
    const { database } = this.services;
    // From here on nothing happens by itself.
    await this.due.tellAll(await this.stand(this.at));
    await suspendAttempts(database, this.operationId);
    let settled = await this.settle();
    let isReached = false;
    while (settled.isOver) {
      const before = this.at;
      const next = earliest(this.due.next(before, target), dayCloseBetween(before, target));
      isReached = next === null;
      if (!isReached && performance.now() > this.endMs) break;
      await this.due.tellDue(await this.stand(next ?? target), this.at);
      settled = await this.settle();
      await this.closeDays(before);
      if (isReached) break;
    }
    await (isFrozen ? this.due.tellAll(await this.stand(this.at)) : this.run());
    return { isReached: isReached && settled.isOver, pending: settled.pending };
  }

  /** It stands still at that moment. */
  private async stand(at: string): Promise<OperationClock> {
    this.at = at;
    return setClock(this.services.database, this.operationId, { at, isFrozen: true });
  }

  /** It runs on from where it stands. */
  private async run(): Promise<void> {
    const { database } = this.services;
    const clock = await setClock(database, this.operationId, { at: this.at, isFrozen: false });
    await resumeAttempts(database, this.operationId, clock);
    await this.due.tellAll(clock);
  }

  /** Waits until what is due is done. */
  private async settle(): ReturnType<Due['pending']> {
    const endMs = performance.now() + SETTLE_MS;
    for (;;) {
      const state = await this.due.pending(this.at);
      if (state.isOver || performance.now() > endMs) return state;
      await sleep(POLL_MS);
    }
  }

  /** Freezes the days that have closed by now. */
  private async closeDays(before: string): Promise<void> {
    const now = new Date(this.at);
    if (lastClosedDay(now) === lastClosedDay(new Date(before))) return;
    for (const { code: currency } of ENABLED_CURRENCIES) {
      const book = { operationId: this.operationId, currency };
      for (let isCaughtUp = false; !isCaughtUp;) {
        const outcome = await freezeDays(this.services.database, book, lastClosedDay(now), now);
        isCaughtUp = outcome.kind === 'day_open' || outcome.caughtUp;
      }
    }
  }
}

/** When the next day closes, if that is by then. */
function dayCloseBetween(at: string, until: string): string | null {
  const dayAfter = new Date(Date.parse(lastClosedDay(new Date(at))) + 86_400_000).toISOString().slice(0, 10);
  const closesAt = dayClosesAt(dayAfter).toISOString();
  return closesAt <= until ? closesAt : null;
}

function earliest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
