// Players and the list of payments: their pages, and the list as a file.
import { exportPayments } from '../../staff/acts/payments-export.js';
import { readPayments } from '../../staff/reads/panel/payment-list.js';
import { readPlayer } from '../../staff/reads/panel/player.js';
import { pagedOf } from '../paged.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import { csvFile, saved } from '../saved.js';
import type { PanelServices } from '../services.js';

export function playerHandlers(services: PanelServices): Handlers<'readPayments' | 'exportPayments' | 'readPlayer'> {
  const { database } = services;
  return {
    readPayments: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readPayments(database, viewer, operation, query)),
    exportPayments: async ({ viewer, params: { operation }, query, now }) =>
      saved(await exportPayments(database, viewer, operation, query), csvFile('payments', now)),
    readPlayer: async ({ viewer, params: { operation, ref } }) =>
      (await readPlayer(services, viewer, operation, ref)) ?? refuse('not_found'),
  };
}
