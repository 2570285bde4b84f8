// Webhooks: the log of deliveries, and one event or a span of time delivered again.
import type { Answering } from '../../contract/panel/routes.js';
import { redeliver, redeliverRange } from '../../staff/acts/deliveries.js';
import { readDeliveryLog } from '../../staff/reads/panel/deliveries.js';
import { readEventBody } from '../../staff/reads/panel/event-body.js';
import { sees } from '../../staff/viewer.js';
import { eventById } from '../../store/events/event-delivery.js';
import { pagedOf } from '../paged.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

export function webhookHandlers(
  services: PanelServices,
): Handlers<'readDeliveries' | 'readEvent' | 'redeliverRange' | 'redeliverEvent'> {
  return {
    readDeliveries: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readDeliveryLog(services.database, viewer, operation, query)),
    readEvent: async ({ viewer, params: { id } }) => (await readEventBody(services, viewer, id)) ?? refuse('not_found'),
    redeliverRange: (request) => deliverAgain(services, request),
    redeliverEvent: (request) => deliverOneAgain(services, request),
  };
}

async function deliverAgain(
  services: PanelServices,
  { viewer, params: { operation: operationId }, body }: HandlerRequest<'redeliverRange'>,
): Promise<Answering<'redeliverRange'> | Refusal> {
  if (!sees(viewer, operationId)) return refuse('not_found');
  const outcome = await redeliverRange(services.database, viewer, { operationId, ...body });
  switch (outcome.kind) {
    case 'scheduled':
      return { events: outcome.events };
    case 'nothing':
      return { events: 0 };
    case 'unknown_operation':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
    case 'too_many':
      return refuse('too_many_events');
    case 'under_way':
      return refuse('redelivery_under_way');
  }
}

async function deliverOneAgain(
  services: PanelServices,
  { viewer, params: { id } }: HandlerRequest<'redeliverEvent'>,
): Promise<Answering<'redeliverEvent'> | Refusal> {
  const event = await eventById(services.database, id);
  if (event === null || !sees(viewer, event.operationId)) return refuse('not_found');
  const outcome = await redeliver(services.database, viewer, id);
  switch (outcome.kind) {
    case 'scheduled':
      return { events: 1 };
    case 'unknown_event':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
  }
}
