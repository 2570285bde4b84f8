// What an operator's own people read of their integration.
import { readCallLog, readGoLive } from '../../staff/reads/panel/integration.js';
import { pagedOf } from '../paged.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

export function integrationHandlers({ database }: PanelServices): Handlers<'readCalls' | 'readGoLive'> {
  return {
    readCalls: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readCallLog(database, viewer, operation, query)),
    readGoLive: async ({ viewer, params: { operation } }) =>
      (await readGoLive(database, viewer, operation)) ?? refuse('not_found'),
  };
}
