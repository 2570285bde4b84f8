// Changes of an operation's block and review lists. One person adds; in production two take an entry off a block list.
import { operationExists } from '../../store/operations/operations.js';
import type { ApprovalRequestRef } from '../../store/operations/approval-requests.js';
import { addToList, type ListEntryInput, type ListKind, listedHash, removeFromList } from '../../store/rules/lists.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { change, type ChangeServices } from './requests.js';

export type ListEntry = Omit<ListEntryInput, 'person'>;

export type ListChanged =
  | { readonly kind: 'done'; readonly isChanged: boolean }
  | { readonly kind: 'requested'; readonly request: ApprovalRequestRef }
  | { readonly kind: 'no_such_operation' }
  | { readonly kind: 'not_permitted' };

/** Adds a value to a list. Throws ListEntryError for bad input. */
export async function addEntry(services: ChangeServices, actor: Actor, entry: ListEntry): Promise<ListChanged> {
  const refusal = await refusalOf(services, actor, entry);
  if (refusal !== null) return refusal;
  const isChanged = await addToList(services.database, await services.sealer(), { ...entry, person: actor });
  return { kind: 'done', isChanged };
}

/** Removes a value from a list, or in production requests it for a block list. Throws ListEntryError for bad input. */
export async function removeEntryOf(services: ChangeServices, actor: Actor, entry: ListEntry): Promise<ListChanged> {
  const refusal = await refusalOf(services, actor, entry);
  if (refusal !== null) return refusal;
  const [database, sealer] = [services.database, await services.sealer()];
  if (entry.list !== 'block')
    return { kind: 'done', isChanged: await removeFromList(database, sealer, { ...entry, person: actor }) };
  const hash = await listedHash(database, sealer, entry);
  if (hash === null) return { kind: 'done', isChanged: false };
  const payload = { kind: entry.kind as ListKind, entry: hash };
  const changed = await change(services, actor, { kind: 'list_removal', operationId: entry.operationId, payload });
  return changed.kind === 'done' ? { kind: 'done', isChanged: changed.isRemoved } : changed;
}

async function refusalOf({ database }: ChangeServices, actor: Actor, { operationId }: ListEntry) {
  if (!(await operationExists(database, operationId))) return { kind: 'no_such_operation' } as const;
  return (await mayNow(database, actor, 'list.change', operationId)) ? null : ({ kind: 'not_permitted' } as const);
}
