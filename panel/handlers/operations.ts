// Operations: the list of them, one with what is configured for it, its rules and its lists.
import { readLists } from '../../staff/reads/panel/lists.js';
import { readOperation, readOperations } from '../../staff/reads/panel/operations.js';
import { readRules } from '../../staff/reads/panel/rules.js';
import { pagedOf } from '../paged.js';
import { refuse } from '../refusal.js';
import type { Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

type OperationHandlers = Handlers<'readOperations' | 'readOperation' | 'readRules' | 'readLists'>;

export function operationHandlers(services: PanelServices): OperationHandlers {
  const { database } = services;
  return {
    readOperations: ({ viewer }) => readOperations(database, viewer),
    readOperation: async ({ viewer, params: { operation }, now }) =>
      (await readOperation(database, viewer, operation, now)) ?? refuse('not_found'),
    readRules: async ({ viewer, params: { operation } }) =>
      (await readRules(database, viewer, operation)) ?? refuse('not_found'),
    readLists: async ({ viewer, params: { operation }, query }) =>
      pagedOf(await readLists(services, viewer, operation, query)),
  };
}
