// Withdrawals as the routes serve them: created by a workflow, read from the newer of row and workflow. An answer of a
// workflow counts only if a worker vouches for it.
import { type Problem, problem } from '../../contract/http/errors.js';
import { presentWithdrawal, type PublicWithdrawal } from '../../contract/http/presenters/withdrawal.js';
import type { CallerOperation } from '../../contract/http/route.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import type { WithdrawalOrder } from '../../contract/temporal/payment.js';
import { parseAmountMinor } from '../../domain/money.js';
import { normalizePixKey } from '../../domain/pix.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import { isWithdrawalClosed, type WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { Database } from '../../store/database.js';
import { operatorReasonsOf, sealedWithdrawalOrder, type SealedWithdrawalRequest } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { type WithdrawalColumns, WITHDRAWALS, withdrawalSnapshot } from '../../store/payments/withdrawal/read.js';
import type { WithdrawalWorkflows } from '../../platform/temporal/payment-workflows.js';
import { believedCreation, newerSnapshot, ordersOfRuns } from './vouched.js';

export interface WithdrawalServices {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly workflows: WithdrawalWorkflows;
}

/** The row as served. */
export function presentRow(row: WithdrawalColumns, sealer: Sealer): PublicWithdrawal {
  return presentSnapshot(row, withdrawalSnapshot(row), sealer);
}

/** A snapshot from a workflow. The operator's reasons are sealed in the row. */
function presentSnapshot(
  { id, operationId, requestSealed: sealedRequest }: WithdrawalColumns,
  snapshot: WithdrawalSnapshot,
  sealer: Sealer,
): PublicWithdrawal {
  return presentWithdrawal(snapshot, () => operatorReasonsOf(sealer, { id, operationId, sealedRequest }));
}

/** The withdrawal as it is now: from the open workflow, unless it has ended or the row is newer. */
export async function presentCurrent(
  { database, workflows, sealer }: WithdrawalServices,
  row: WithdrawalColumns,
): Promise<PublicWithdrawal> {
  const stored = withdrawalSnapshot(row);
  if (isWithdrawalClosed(stored.status)) return presentRow(row, sealer);
  const held = newerSnapshot(sealer, 'withdrawal', stored, await workflows.query(stored));
  if (held === null) return presentRow(row, sealer);
  // Who decided is in Postgres only.
  if (held.decision.mode === 'automatic') return presentSnapshot(row, held, sealer);
  return presentRow((await WITHDRAWALS.find(database, row.operationId, row.id)) ?? row, sealer);
}

/** The workflow's input. Personal data is sealed; the key is sealed in the spelling that is checked and paid. */
export function withdrawalOrder(
  sealer: Sealer,
  operation: CallerOperation,
  id: string,
  body: CreateWithdrawalBody,
  { pix: { key_type, key } }: SealedWithdrawalRequest['destination'],
): WithdrawalOrder {
  const { player, review_reasons, player_context, metadata } = body;
  const destination = { pix: { key_type, key: normalizePixKey(key_type, key) } };
  const order = {
    id,
    operationId: operation.id,
    operationName: operation.name,
    environment: operation.environment,
    provider: operation.provider,
    externalId: body.external_id,
    playerRef: player.external_ref,
    amountMinor: parseAmountMinor(body.amount.amount),
    currency: body.amount.currency,
    reviewRequested: body.review_requested ?? false,
    operatorReasons: displayedOperatorReasons(review_reasons ?? []).length,
    hasPlayerIp: player.ip !== undefined,
    destinationType: key_type,
  };
  return sealedWithdrawalOrder(sealer, order, { player, destination, review_reasons, player_context, metadata });
}

export type CreationAnswer = { readonly withdrawal: PublicWithdrawal } | Problem | 'unavailable';

/** Creates the withdrawal or returns the refusal. Repeating it with the same id never creates a second one. */
export async function createWithdrawal(
  services: WithdrawalServices,
  order: WithdrawalOrder,
  clock?: OperationClock,
): Promise<CreationAnswer> {
  const { id, operationId } = order;
  const orderOf = ordersOfRuns(services.sealer, 'withdrawal', order);
  const creation = await believedCreation(services.sealer, 'withdrawal', { id, operationId }, (attempt) =>
    services.workflows.create(orderOf, attempt, clock),
  );
  // No decision in time, or the workflow ended and its history is gone, or nobody vouches for what was answered. A row
  // proves that the withdrawal was created.
  if (creation === null) return createdRow(services, order);
  switch (creation.kind) {
    case 'created':
      return { withdrawal: presentWithdrawal(creation.snapshot, () => operatorReasonsOf(services.sealer, order)) };
    case 'refused':
      // A used external_id answers before the rules. A refusal would make the operator release its reserve while the
      // withdrawal with that external_id is paid.
      return (
        (await existingWithdrawal(services, order.operationId, order.externalId, order.id)) ?? problem(creation.code)
      );
  }
}

/** This withdrawal's row, or the row with its `external_id`. A used one answers before 503. */
async function createdRow(
  services: WithdrawalServices,
  { operationId, externalId, id }: WithdrawalOrder,
): Promise<CreationAnswer> {
  const row = await WITHDRAWALS.find(services.database, operationId, id);
  if (row === null) return (await existingWithdrawal(services, operationId, externalId, id)) ?? 'unavailable';
  return { withdrawal: presentRow(row, services.sealer) };
}

/**
 * The answer for a used `external_id`: a refusal with the existing object. When an earlier attempt of this request
 * created that object, the answer is the object itself: a refusal would deny a payment that exists. `null` if the id is
 * free.
 */
export async function existingWithdrawal(
  services: WithdrawalServices,
  operationId: string,
  externalId: string,
  ownId: string,
): Promise<Exclude<CreationAnswer, string> | null> {
  const row = await WITHDRAWALS.findOfExternalId(services.database, operationId, externalId);
  if (row === null) return null;
  if (row.id === ownId) return { withdrawal: presentRow(row, services.sealer) };
  return problem('duplicate_external_id', { existing: await presentCurrent(services, row) });
}
