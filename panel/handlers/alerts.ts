// Alerts and what people do about them.
import type { Answering } from '../../contract/panel/routes.js';
import { assignAlert, resolve } from '../../staff/acts/alerts.js';
import { readAlert, readAlerts } from '../../staff/reads/panel/alerts.js';
import { paged } from '../paged.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

export function alertHandlers(services: PanelServices): Handlers<'readAlerts' | 'actOnAlert'> {
  return {
    readAlerts: async ({ viewer, query, now }) => paged(await readAlerts(services.database, viewer, query, now)),
    actOnAlert: (request) => actOnAlert(services, request),
  };
}

async function actOnAlert(
  { database }: PanelServices,
  { viewer, params: { id }, body, now }: HandlerRequest<'actOnAlert'>,
): Promise<Answering<'actOnAlert'> | Refusal> {
  const seen = await readAlert(database, viewer, id, now);
  if (seen === null) return refuse('not_found');
  const outcome =
    body.act === 'assign'
      ? await assignAlert(database, viewer, { id, isTaken: body.person !== null, seen: body.seen })
      : resolutionOf(await resolve(database, viewer, { id, reason: body.reason }));
  switch (outcome) {
    case 'no_such_alert':
      return refuse('not_found');
    case 'not_permitted':
    case 'stale':
    case 'about_you':
    case 'open_too_short':
    case 'money_held':
      return refuse(outcome);
    case 'resolved_before':
      return refuse('decided_before');
    case 'done':
      return (await readAlert(database, viewer, id, now)) ?? seen;
  }
}

function resolutionOf(resolved: Awaited<ReturnType<typeof resolve>>) {
  if (resolved.kind !== 'resolved') return resolved.kind;
  return resolved.isNew ? 'done' : 'resolved_before';
}
