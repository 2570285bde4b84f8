// Routes that no operation has enabled: they answer and do nothing (specification, "Disabled v1.1.0 surface").
import { problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { notFound, ok } from './answers.js';

type DisabledRoutes = 'createFxQuote' | 'getFxQuote' | 'listReceipts' | 'getReceipt' | 'sandboxReceiveTransfer';

export const disabledHandlers: Pick<RouteHandlers, DisabledRoutes> = {
  createFxQuote: async () => problem('fx_not_enabled'),
  getFxQuote: async () => notFound(),
  listReceipts: async () => ok({ data: [], next_cursor: null }),
  getReceipt: async () => notFound(),
  sandboxReceiveTransfer: async () => problem('rail_not_enabled'),
};
