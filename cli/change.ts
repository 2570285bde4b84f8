// A change that needs a second person in production: requested by the person who runs the command.
import { APPROVAL_KINDS, type RequestKind } from '../domain/approvals.js';
import type { ChangeResult, ChangeOrder } from '../staff/acts/requests.js';
import { actorOf, changeServices, notPermitted } from './actor.js';
import type { CommandContext } from './context.js';
import { noSuchOperation } from './inputs/existing.js';

type ChangeRefusal = { readonly kind: 'no_such_operation' | 'not_permitted' };

/** Makes or requests the change. Throws a CommandProblem if the person may not, or there is no such operation. */
export async function changeOf<Kind extends RequestKind>(
  context: CommandContext,
  name: string | undefined,
  order: ChangeOrder<Kind>,
): Promise<Exclude<ChangeResult<Kind>, ChangeRefusal>> {
  // No transaction waits for a vault.
  const sealer = order.kind === 'key' ? await context.sealer() : null;
  const opened = sealer === null ? {} : { sealer: () => Promise.resolve(sealer) };
  const actor = await actorOf(context, name);
  const { change } = await import('../staff/acts/requests.js');
  const changed: ChangeResult<Kind> | ChangeRefusal = await context.withDatabase(async (database) =>
    change({ ...(await changeServices(context, database)), ...opened }, actor, order),
  );
  if (changed.kind === 'no_such_operation') throw noSuchOperation(order.operationId ?? '');
  if (changed.kind === 'not_permitted') throw notPermitted(actor.handle, APPROVAL_KINDS[order.kind].asks);
  return changed as Exclude<ChangeResult<Kind>, ChangeRefusal>;
}
