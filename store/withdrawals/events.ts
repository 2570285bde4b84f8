// The sealed body of a withdrawal's event.
import { presentEvent } from '../../contract/http/presenters/event.js';
import { presentWithdrawal } from '../../contract/http/presenters/withdrawal.js';
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import type { WithdrawalSnapshot } from '../../domain/withdrawal.js';
import { sealEvent } from '../payments/transition-sql.js';
import { operatorReasonsOf } from '../sealing/sealed-requests.js';
import type { Sealer } from '../sealing/sealer.js';

/** `null` if no event is published. */
export function sealWithdrawalEvent(
  sealer: Sealer,
  withdrawal: WithdrawalSnapshot,
  sealedRequest: string,
  event: PublishedEvent | null,
): Uint8Array | null {
  const { id: withdrawalId, operationId } = withdrawal;
  return sealEvent(sealer, operationId, event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: withdrawal.updatedAt,
      operationId: withdrawal.operationId,
      objectId: withdrawal.id,
      objectVersion: withdrawal.version,
      object: presentWithdrawal(withdrawal, () =>
        operatorReasonsOf(sealer, { withdrawalId, operationId, sealedRequest }),
      ),
    }),
  );
}
