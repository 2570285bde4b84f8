// The sandbox's controls: simulated outage, delivery log and redelivery.
import type { RouteHandlers } from '../../contract/http/routes.js';
import { setOutage } from '../../store/operations/operations.js';
import { ok } from './answers.js';
import { deliveryHandlers } from './deliveries.js';
import type { ApiDependencies } from './dependencies.js';

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
