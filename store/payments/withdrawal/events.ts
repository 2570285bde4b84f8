// The event of a withdrawal's transition, with its body.
import { presentEvent } from '../../../contract/http/presenters/event.js';
import { presentWithdrawal } from '../../../contract/http/presenters/withdrawal.js';
import type { PublishedEvent } from '../../../contract/temporal/transitions.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { type EventStore, type NewEvent, newEvent } from '../effects.js';
import { operatorReasonsOf } from '../../sealing/sealed-requests.js';

/** `null` if no event is published. */
export function newWithdrawalEvent(
  store: EventStore,
  withdrawal: WithdrawalSnapshot,
  sealedRequest: string,
  event: PublishedEvent | null,
): NewEvent | null {
  const { id: withdrawalId, operationId } = withdrawal;
  return newEvent(store, { operationId, objectId: withdrawalId }, event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: withdrawal.updatedAt,
      operationId: withdrawal.operationId,
      objectId: withdrawal.id,
      objectVersion: withdrawal.version,
      object: presentWithdrawal(withdrawal, () =>
        operatorReasonsOf(store.sealer, { id: withdrawalId, operationId, sealedRequest }),
      ),
    }),
  );
}
