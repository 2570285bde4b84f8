// Deposits: create, list, read, cancel.
import { invalidField, type Problem } from '../../contract/http/errors.js';
import type { RouteResponse } from '../../contract/http/route.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/paging.js';
import { depositAllows, isDepositClosed } from '../../domain/payments/deposit.js';
import { askThenRead } from '../../platform/temporal/calls.js';
import { type DepositColumns, DEPOSITS } from '../../store/payments/deposit/read.js';
import { DEPOSIT_CHECKS, firstRefusal } from '../payments/creation-checks.js';
import { explainedDepositRefusal } from '../payments/document-mismatch.js';
import {
  type CreationAnswer,
  createDeposit,
  depositOrder,
  type DepositServices,
  existingDeposit,
  presentCurrent,
  presentRow,
} from '../payments/deposits.js';
import { invalidTransition, notFound, ok, unavailable } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { pageFilter } from './reads.js';
import { reservedId } from './reserved-id.js';

type DepositRoutes = 'createDeposit' | 'listDeposits' | 'getDeposit' | 'cancelDeposit';

export function depositHandlers(
  dependencies: ApiDependencies,
  services: DepositServices,
): Pick<RouteHandlers, DepositRoutes> {
  const { database, sealer, providerTraits } = dependencies;
  return {
    createDeposit: async (request) => {
      const { operation } = request.caller;
      const id = reservedId(request);
      const context = { environment: operation.environment, traits: providerTraits(operation.provider) };
      const refusal = firstRefusal(DEPOSIT_CHECKS, request.body, context);
      if (refusal !== null) {
        const existing = refusal.afterDuplicate
          ? await existingDeposit(services, operation.id, request.body.external_id, id)
          : null;
        return existing === null ? refusal.problem : answered(existing);
      }
      const order = depositOrder(sealer, operation, id, request.body);
      return answered(await createDeposit(services, order, operation.clock));
    },

    listDeposits: async ({ caller: { operation }, query, found }) => {
      const { cursor } = query;
      if (cursor !== undefined && !/^dep_[A-Za-z0-9]{1,96}$/.test(cursor)) return badCursor();
      const read = await DEPOSITS.readPage(database, operation.id, pageFilter(query, cursor), found);
      if (read.kind === 'unknown_cursor') return badCursor();
      return ok({
        data: read.rows.map((row) => presentRow(row, sealer)),
        next_cursor: read.hasMore ? (read.rows.at(-1)?.id ?? null) : null,
      });
    },

    getDeposit: async ({ caller: { operation }, params, found }) => {
      const row = await DEPOSITS.find(database, operation.id, params['id'] ?? '', found);
      return row === null ? notFound() : ok(await presentCurrent(services, row));
    },

    cancelDeposit: async ({ caller: { operation }, params }) => {
      const row = await DEPOSITS.find(database, operation.id, params['id'] ?? '');
      if (row === null) return notFound();
      return endedCancel(row, services) ?? cancel(services, row);
    },
  };
}

async function cancel(
  services: DepositServices,
  { operationId, id }: DepositColumns,
): Promise<RouteResponse | Problem> {
  const row = await askThenRead(
    () => services.workflows.cancel(id),
    () => DEPOSITS.find(services.database, operationId, id),
    (now) => now !== null && depositAllows('cancel', now.status),
  );
  // Cancelled by this request or an earlier one: same answer.
  return row === null
    ? unavailable()
    : (endedCancel(row, services) ?? invalidTransition(presentRow(row, services.sealer)));
}

function answered(answer: CreationAnswer) {
  if (answer === 'unavailable') return unavailable();
  return 'deposit' in answer ? { status: answer.status, body: answer.deposit } : explainedDepositRefusal(answer);
}

const badCursor = () => invalidField('cursor', 'format', CURSOR_FORMAT);

/** A cancel's answer for an ended deposit; null while its workflow decides. */
function endedCancel(row: DepositColumns, { sealer }: DepositServices) {
  if (row.status === 'cancelled') return ok(presentRow(row, sealer));
  return isDepositClosed(row.status) ? invalidTransition(presentRow(row, sealer)) : null;
}
