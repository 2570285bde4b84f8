// Closes gaps: reads the gateway's events after the last one read, and fetches back what is unsettled.
import type { Logger } from 'pino';
import { isGatewayEvent, ProblemError } from '../../client/index.js';
import { describe } from './fetch-back.js';
import type { FetchBack } from './fetch-back.js';
import { paymentOfEvent } from './ledger.js';
import type { Ledger } from './ledger.js';
import type { Connection } from './sandbox-file.js';

export interface RecoveryDeps {
  readonly ledger: Ledger;
  readonly fetchBack: FetchBack;
  readonly connection: () => Promise<Connection | null>;
  readonly log: Logger;
  readonly intervalMs: number;
}

export interface Recovery {
  /** When the last round ended, RFC 3339; null before the first. */
  lastRoundAt(): string | null;
  /** Stops after the round under way. */
  stop(): void;
}

const WAIT_FOR_CREDENTIALS_MS = 1_000;
// How far the job has read is written down this often, so that a crash in a long catch-up does not start it anew.
const REMEMBER_EVERY_EVENTS = 200;

/** Runs a round at start (as soon as there are credentials) and then in every interval, never two at once. */
export function startRecovery(deps: RecoveryDeps): Recovery {
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let lastRoundAt: string | null = null;

  async function round(): Promise<void> {
    const connected = await deps.connection();
    try {
      if (connected && !stopped) await recoverOnce(deps, connected);
    } catch (error) {
      // The journal could not be written; the next round tries again.
      if (!stopped) deps.log.error({ problem: describe(error) }, 'recovery round could not be recorded');
    }
    if (connected) lastRoundAt = new Date().toISOString();
    if (!stopped) timer = setTimeout(start, connected ? deps.intervalMs : WAIT_FOR_CREDENTIALS_MS);
  }
  function start(): void {
    void round();
  }
  start();
  return {
    lastRoundAt: () => lastRoundAt,
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}

/** One round. A failure is logged and left to the next round. */
async function recoverOnce({ ledger, fetchBack, log }: RecoveryDeps, { gateway }: Connection): Promise<void> {
  let readUpTo = ledger.book.recoveredUpTo;
  let count = 0;
  const remember = (): void => {
    if (readUpTo !== ledger.book.recoveredUpTo) ledger.recoveredUpTo(readUpTo);
  };
  try {
    for await (const event of gateway.events({ ...(readUpTo === null ? {} : { after: readUpTo }), limit: 200 })) {
      if (!isGatewayEvent(event)) throw new TypeError('GET /events holds something that is no event');
      const missed = ledger.receive(event, 'recovery');
      if (missed) log.warn({ event_id: event.id, type: event.type }, 'event recovered that no webhook had brought');
      const reference = paymentOfEvent(event);
      if (reference && ledger.isBehind(reference.id)) fetchBack.request(reference);
      readUpTo = event.id;
      count += 1;
      if (count % REMEMBER_EVERY_EVENTS === 0) remember();
    }
  } catch (error) {
    log.warn({ problem: describe(error) }, 'recovery round failed');
    if (isUnknownCursor(error)) {
      // The gateway no longer knows the event (its database was begun anew): read everything again next time.
      ledger.raise('event_cursor_unknown', null);
      readUpTo = null;
    }
  }
  remember();
  for (const reference of ledger.unsettled()) fetchBack.request(reference);
}

function isUnknownCursor(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 400 && error.errors.some(({ field }) => field === 'after');
}
