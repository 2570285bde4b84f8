// Every handler, by route. The type comes from the route table: a route without a handler does not compile.
import { isProblem, type Problem, problem } from '../../contract/http/errors.js';
import type { RouteHandler, RouteRequest, RouteResponse } from '../../contract/http/route.js';
import type { RouteHandlers, RouteName } from '../../contract/http/routes.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../../platform/temporal/payment-workflows.js';
import { isDatabaseUnavailable } from '../../store/errors.js';
import { isPassing } from '../../platform/temporal/calls.js';
import { unavailable, type ApiDependencies, notFound, ok } from './handler.js';
import { depositHandlers } from './deposits.js';
import { eventHandlers } from './reads.js';
import { operationHandlers } from './operation.js';
import { reconciliationHandlers } from './reconciliation.js';
import { ruleHandlers } from './rules.js';
import { sandboxClockHandlers, sandboxControlHandlers } from './sandbox-control.js';
import { sandboxDepositHandlers } from './sandbox-deposits.js';
import { sandboxWithdrawalHandlers } from './sandbox-withdrawals.js';
import { toolHandlers } from './tools.js';
import { withdrawalHandlers } from './withdrawals.js';

/**
 * The handlers of all routes. Each gets an authenticated, parsed request and returns a response or an expected refusal.
 * A dependency that is down is 503; only faults are thrown.
 */
export function createHandlers(dependencies: ApiDependencies): Readonly<Record<RouteName, RouteHandler<never, never>>> {
  const { database, sealer, temporal, deadlines, panelUrl } = dependencies;
  const deposits = { database, sealer, workflows: new DepositWorkflows(temporal, deadlines, Date.now, panelUrl) };
  const withdrawals = { database, sealer, workflows: new WithdrawalWorkflows(temporal, deadlines, Date.now, panelUrl) };
  const handlers: RouteHandlers = {
    ...operationHandlers(dependencies),
    ...eventHandlers(dependencies),
    ...reconciliationHandlers(dependencies),
    ...ruleHandlers(dependencies),
    ...depositHandlers(dependencies, deposits),
    ...withdrawalHandlers(dependencies, withdrawals),
    ...disabledHandlers,
    ...sandboxDepositHandlers(dependencies, deposits),
    ...sandboxWithdrawalHandlers(dependencies, withdrawals),
    ...sandboxControlHandlers(dependencies),
    ...sandboxClockHandlers(dependencies),
    ...toolHandlers(dependencies),
  };
  const guarded = Object.entries(handlers).map(([name, handler]) => [name, guard(dependencies, name, handler)]);
  return Object.fromEntries(guarded) as Record<RouteName, RouteHandler<never, never>>;
}

/** Answers 503 when Postgres or Temporal is unavailable. Logs which one, never the request. */
function guard(
  { logger }: ApiDependencies,
  name: string,
  handler: RouteHandler<never, never>,
): RouteHandler<never, never> {
  return async (request: RouteRequest<never, never>): Promise<RouteResponse | Problem> => {
    try {
      const answer = await handler(request);
      if (isProblem(answer) && answer.code === 'service_unavailable')
        logger.warn({ route: name, traceId: request.traceId }, 'no answer in time');
      return answer;
    } catch (error) {
      const down = isDatabaseUnavailable(error) ? 'postgres' : isPassing(error) ? 'temporal' : null;
      if (down === null) throw error;
      logger.warn({ route: name, traceId: request.traceId, down }, 'a dependency is down');
      return unavailable();
    }
  };
}

type DisabledRoutes = 'createFxQuote' | 'getFxQuote' | 'listReceipts' | 'getReceipt' | 'sandboxReceiveTransfer';

const disabledHandlers: Pick<RouteHandlers, DisabledRoutes> = {
  createFxQuote: async () => problem('fx_not_enabled'),
  getFxQuote: async () => notFound(),
  listReceipts: async () => ok({ data: [], next_cursor: null }),
  getReceipt: async () => notFound(),
  sandboxReceiveTransfer: async () => problem('rail_not_enabled'),
};
