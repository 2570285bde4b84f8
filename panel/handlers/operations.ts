// Operations: the list of them, one with what is configured for it, its rules and its lists, and changes of these.
import type { Answering } from '../../contract/panel/routes.js';
import { addEntry, removeEntryOf } from '../../staff/acts/lists.js';
import { sees } from '../../staff/viewer.js';
import { ListEntryError } from '../../store/rules/lists.js';
import { readLists } from '../../staff/reads/panel/lists.js';
import { readOperation, readOperations } from '../../staff/reads/panel/operations.js';
import { readRules } from '../../staff/reads/panel/rules.js';
import { pagedOf } from '../paged.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { changeServices, type PanelServices } from '../services.js';
import { DAY_MS } from '../../domain/instant.js';

type OperationHandlers = Handlers<'readOperations' | 'readOperation' | 'readRules' | 'readLists' | 'changeList'>;

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
    changeList: (request) => changeList(services, request),
  };
}

async function changeList(
  services: PanelServices,
  { viewer, params: { operation: operationId }, body, now }: HandlerRequest<'changeList'>,
): Promise<Answering<'changeList'> | Refusal> {
  if (!sees(viewer, operationId)) return refuse('not_found');
  const { list, kind, value } = body;
  const entry = { operationId, list, kind, value };
  try {
    const changed =
      body.change === 'add'
        ? await addEntry(changeServices(services), viewer, {
            ...entry,
            reason: body.reason,
            expiresAt: body.days === undefined ? null : new Date(now.getTime() + body.days * DAY_MS),
          })
        : await removeEntryOf(changeServices(services), viewer, entry);
    switch (changed.kind) {
      case 'done':
        return { status: 'done', is_changed: changed.isChanged };
      case 'requested':
        return { status: 'requested', request_id: changed.request.id };
      case 'no_such_operation':
        return refuse('not_found');
      case 'not_permitted':
        return refuse('not_permitted');
    }
  } catch (error) {
    if (!(error instanceof ListEntryError)) throw error;
    return refuse('invalid', { issues: [{ path: error.field, problem: error.message.slice(error.field.length + 2) }] });
  }
}
