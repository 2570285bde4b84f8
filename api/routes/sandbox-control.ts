// The sandbox's controls: simulated outage, delivery log and redelivery; and the clock, an operation's time, moved
// ahead or stopped. The clock is an extension of the specification.
import type { RouteHandlers } from '../../contract/http/routes.js';
import { setOutage } from '../../store/operations/operations.js';
import { ok, type ApiDependencies, notFound } from './handler.js';
import { deliveryHandlers } from './tools.js';
import { invalidField, problem, type Problem } from '../../contract/http/errors.js';
import type { CallerOperation, RouteResponse } from '../../contract/http/route.js';
import { MOST_DAYS_AHEAD } from '../../domain/operation-clock.js';
import { dayClosesAt } from '../../domain/reconciliation.js';
import { ClockSignals } from '../../platform/temporal/clock-signals.js';
import { type ReadClock, readClock } from '../../store/operations/clock.js';
import { type ClockOrder, moveClock } from '../clock/set-clock.js';

type SandboxControlRoutes = 'sandboxSetOutage' | 'sandboxListWebhooks' | 'sandboxRedeliverWebhook';

export function sandboxControlHandlers(dependencies: ApiDependencies): Pick<RouteHandlers, SandboxControlRoutes> {
  const { list, redeliver } = deliveryHandlers(dependencies);
  return {
    sandboxSetOutage: async ({ caller: { operation }, body: { down } }) => {
      await setOutage(dependencies.database, operation.id, down);
      return ok({ down });
    },
    sandboxListWebhooks: list,
    sandboxRedeliverWebhook: redeliver,
  };
}

type SandboxClockRoutes = 'sandboxGetClock' | 'sandboxSetClock' | 'sandboxCloseDay';

export function sandboxClockHandlers({
  database,
  temporal,
  deadlines,
}: ApiDependencies): Pick<RouteHandlers, SandboxClockRoutes> {
  const services = { database, signals: new ClockSignals(temporal, deadlines) };
  const move = async (
    { id: operationId }: CallerOperation,
    field: string,
    order: Omit<ClockOrder, 'operationId'>,
  ): Promise<RouteResponse | Problem> => {
    const outcome = await moveClock(services, { ...order, operationId });
    switch (outcome.kind) {
      case 'held':
        return problem('invalid_state_transition', { detail: 'Another request is moving this clock.' });
      case 'refused':
        return invalidField(field, 'range', outcome.refusal);
      case 'set':
        return ok({
          ...presentClock(outcome.read),
          to: outcome.target,
          reached: outcome.isReached,
          pending: outcome.pending.map(({ objectId, kind }) => ({ object_id: objectId, state: kind })),
        });
    }
  };
  return {
    sandboxGetClock: async ({ caller: { operation } }) => ok(presentClock(await readClock(database, operation.id))),

    sandboxSetClock: ({ caller: { operation }, body: { advance_seconds, to, frozen } }) =>
      move(operation, advance_seconds === undefined ? 'to' : 'advance_seconds', {
        target: ({ now, realTime }) => {
          if (advance_seconds === undefined && to === undefined) return now;
          const target = to ?? new Date(Date.parse(now) + advance_seconds! * 1_000).toISOString();
          return bounded(target, { now, realTime }) ?? target;
        },
        isFrozen: frozen ?? null,
      }),

    sandboxCloseDay: ({ caller: { operation }, params }) => {
      const date = params['date'] ?? '';
      if (!isCalendarDay(date)) return Promise.resolve(notFound());
      const closesAt = dayClosesAt(date).toISOString();
      return move(operation, 'date', {
        target: (read) => (closesAt <= read.now ? read.now : (bounded(closesAt, read) ?? closesAt)),
        isFrozen: null,
      });
    },
  };
}

function isCalendarDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Why the clock cannot be set to that moment. */
function bounded(target: string, { now, realTime }: Pick<ReadClock, 'now' | 'realTime'>): { refusal: string } | null {
  if (target < now) return { refusal: `the clock goes forward only: it is ${now}` };
  const latest = new Date(Date.parse(realTime) + MOST_DAYS_AHEAD * 86_400_000).toISOString();
  return target > latest ? { refusal: `at most ${MOST_DAYS_AHEAD} days ahead of real time: ${latest}` } : null;
}

function presentClock({ clock, now, realTime, isHeld }: ReadClock) {
  return {
    now,
    real_time: realTime,
    offset_seconds: Math.round((Date.parse(now) - Date.parse(realTime)) / 1_000),
    frozen: (clock?.frozenAt ?? null) !== null,
    advancing: isHeld,
  };
}
