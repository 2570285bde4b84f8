// The orders of new payments as the api hands them to a workflow: the request is sealed for the row that it will be
// stored in. Whoever creates a payment makes its order here.
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { WithdrawalOrder } from '../../contract/temporal/withdrawal.js';
import { placeOf } from './places.js';
import type { SealedDepositRequest, SealedWithdrawalRequest } from './sealed-requests.js';
import type { Sealer } from './sealer.js';

type Unsealed<Order> = Omit<Order, 'sealedRequest'>;

export function sealedDepositOrder(
  sealer: Sealer,
  order: Unsealed<DepositOrder>,
  request: SealedDepositRequest,
): DepositOrder {
  const place = placeOf('deposit.request_sealed', order.operationId, { id: order.depositId });
  return { ...order, sealedRequest: sealer.sealJson(place, request) };
}

export function sealedWithdrawalOrder(
  sealer: Sealer,
  order: Unsealed<WithdrawalOrder>,
  request: SealedWithdrawalRequest,
): WithdrawalOrder {
  const place = placeOf('withdrawal.request_sealed', order.operationId, { id: order.withdrawalId });
  return { ...order, sealedRequest: sealer.sealJson(place, request) };
}
