// Routes beside the specification's for the operator's tools (`operator-payments listen`, `requests`, `deliveries`):
// marked as extensions, and read or used with the operation's own keys.
import type { RouteDefinition } from './route.js';
import { deliveryPage, listDeliveriesQuery, redeliverBody, redelivery } from './schemas/sandbox.js';
import { inbox, inboxQuery, listRequestsQuery, requestPage } from './schemas/tools.js';

const TAG = 'Tools (extension)';

export const TOOL_ROUTES = [
  {
    name: 'listRequests',
    method: 'GET',
    path: '/request-log',
    tag: TAG,
    summary: 'Read the log of your own calls, newest first',
    description:
      'What was signed, and why it was refused, for 3 days. It names no player: templates of paths, no queries, no ' +
      'bodies. It is an aid: under load, and after a crash of its database, calls can be missing. Not part of the ' +
      'specification.',
    access: ['read'],
    query: listRequestsQuery,
    success: { 200: { description: 'A page of calls.', schema: requestPage } },
    errors: ['validation_failed'],
  },
  {
    name: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhook-deliveries',
    tag: TAG,
    summary: 'Read the log of webhook deliveries, newest first',
    description: 'Each attempt with what came back. Not part of the specification.',
    access: ['read'],
    query: listDeliveriesQuery,
    success: { 200: { description: 'A page of delivery attempts.', schema: deliveryPage } },
    errors: ['validation_failed'],
  },
  {
    name: 'redeliverWebhook',
    method: 'POST',
    path: '/webhook-deliveries/redeliver',
    tag: TAG,
    summary: 'Deliver an event once more',
    description: 'To the registered URL, under the same event id. Not part of the specification.',
    access: ['deposits:write', 'withdrawals:write'],
    body: redeliverBody,
    success: { 200: { description: 'A delivery is on its way.', schema: redelivery } },
    errors: ['validation_failed', 'not_found'],
  },
  {
    name: 'sandboxReceiveWebhooks',
    method: 'GET',
    path: '/sandbox/webhooks/inbox',
    tag: TAG,
    summary: 'Receive signed webhooks by asking for them',
    description:
      'For a machine that the gateway cannot reach: events with the headers and bytes of a delivery, signed now. It ' +
      'changes nothing about deliveries to the registered URL. `operator-payments listen` uses it. Not part of the ' +
      'specification.',
    access: ['read'],
    sandboxOnly: true,
    query: inboxQuery,
    success: { 200: { description: 'The events after the given one, oldest first.', schema: inbox } },
    errors: ['validation_failed', 'not_found'],
  },
] as const satisfies readonly RouteDefinition[];
