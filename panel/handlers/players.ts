// Players and the list of payments: their pages, and the list as a file.
import type { Answering } from '../../contract/panel/routes.js';
import { exportPayments } from '../../staff/acts/payments-export.js';
import { readPayments } from '../../staff/reads/panel/payment-list.js';
import { readPlayer } from '../../staff/reads/panel/player.js';
import { pagedOf } from '../paged.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

export function playerHandlers(services: PanelServices): Handlers<'readPayments' | 'exportPayments' | 'readPlayer'> {
  const { database } = services;
  return {
    readPayments: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readPayments(database, viewer, operation, query)),
    exportPayments: (request) => saveList(services, request),
    readPlayer: async ({ viewer, params: { operation, ref } }) =>
      (await readPlayer(services, viewer, operation, ref)) ?? refuse('not_found'),
  };
}

async function saveList(
  { database }: PanelServices,
  { viewer, params: { operation }, query, now }: HandlerRequest<'exportPayments'>,
): Promise<Answering<'exportPayments'> | Refusal> {
  const outcome = await exportPayments(database, viewer, operation, query);
  switch (outcome.kind) {
    case 'rate_limited':
      return refuse('rate_limited', { retry_after_seconds: outcome.retryAfterSeconds });
    case 'not_found':
      return refuse('not_found');
    case 'exported':
      return {
        name: `payments-${now.toISOString().replace(/\D/g, '').slice(0, 14)}Z.csv`,
        type: 'text/csv',
        text: outcome.text,
      };
  }
}
