// Withdrawals: request, list, read, cancel, and recall (which PIX does not have).
import { invalidField, type Problem } from '../../contract/http/errors.js';
import type { RouteRequest, RouteResponse } from '../../contract/http/route.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/paging.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import { isWithdrawalClosed, withdrawalAllows } from '../../domain/payments/withdrawal.js';
import { askThenRead } from '../../platform/temporal/calls.js';
import { type WithdrawalColumns, WITHDRAWALS } from '../../store/payments/withdrawal/read.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { isPayoutTaken } from '../../store/payments/withdrawal/payout-sends.js';
import { firstRefusal, WITHDRAWAL_CHECKS } from '../payments/creation-checks.js';
import { explainedWithdrawalRefusal } from '../payments/document-mismatch.js';
import {
  type CreationAnswer,
  createWithdrawal,
  existingWithdrawal,
  presentCurrent,
  presentRow,
  withdrawalOrder,
  type WithdrawalServices,
} from '../payments/withdrawals.js';
import { invalidTransition, notFound, ok, unavailable } from './answers.js';
import type { ApiDependencies } from './dependencies.js';
import { pageFilter } from './reads.js';
import { reservedId } from './reserved-id.js';

type WithdrawalRoutes =
  | 'createWithdrawal'
  | 'listWithdrawals'
  | 'getWithdrawal'
  | 'cancelWithdrawal'
  | 'recallWithdrawal';

export function withdrawalHandlers(
  dependencies: ApiDependencies,
  services: WithdrawalServices,
): Pick<RouteHandlers, WithdrawalRoutes> {
  const { database, sealer, providerTraits } = dependencies;
  return {
    createWithdrawal: (request) => create(services, providerTraits, request),

    listWithdrawals: async ({ caller: { operation }, query, found }) => {
      const { cursor } = query;
      const afterId = cursor === undefined ? undefined : decodeCursor(cursor);
      if (afterId === null) return badCursor();
      const read = await WITHDRAWALS.readPage(database, operation.id, pageFilter(query, afterId), found);
      if (read.kind === 'unknown_cursor') return badCursor();
      const last = read.rows.at(-1);
      return ok({
        data: read.rows.map((row) => presentRow(row, sealer)),
        next_cursor: read.hasMore && last !== undefined ? encodeCursor(last.id) : null,
      });
    },

    getWithdrawal: async ({ caller: { operation }, params, found }) => {
      const row = await WITHDRAWALS.find(database, operation.id, params['id'] ?? '', found);
      return row === null ? notFound() : ok(await presentCurrent(services, row));
    },

    cancelWithdrawal: async ({ caller: { operation }, params }) => {
      const row = await WITHDRAWALS.find(database, operation.id, params['id'] ?? '');
      if (row === null) return notFound();
      return endedCancel(row, sealer) ?? cancel(services, row);
    },

    recallWithdrawal: async ({ caller: { operation }, params }) => {
      const row = await WITHDRAWALS.find(database, operation.id, params['id'] ?? '');
      // Only wire and SWIFT have a recall; every withdrawal is a PIX.
      return row === null
        ? notFound()
        : invalidTransition(presentRow(row, sealer), 'A PIX withdrawal cannot be recalled.');
    },
  };
}

/** `approved` also while the provider has not answered a payment order: it may be paid, so nothing can stop it. */
const SENT = 'The state is `approved`, but the payment order has left: it may be paid. Wait for its end.';

async function create(
  services: WithdrawalServices,
  providerTraits: ApiDependencies['providerTraits'],
  request: Pick<RouteRequest<CreateWithdrawalBody>, 'body' | 'caller' | 'objectId'>,
): Promise<RouteResponse | Problem> {
  const {
    body,
    caller: { operation },
  } = request;
  const id = reservedId(request);
  const refusal = firstRefusal(WITHDRAWAL_CHECKS, body, {
    environment: operation.environment,
    // A withdrawal needs nothing more of its player than the schema asks for.
    traits: { ...providerTraits(operation.provider), depositRequirements: [] },
  });
  if (refusal !== null) {
    const existing = refusal.afterDuplicate
      ? await existingWithdrawal(services, operation.id, body.external_id, id)
      : null;
    return existing === null ? refusal.problem : answered(existing, body);
  }
  const { pix } = body.destination;
  // The schema binds the destination to the method, and check 3 allows only one method.
  if (pix === undefined) throw new Error('a PIX withdrawal passed its checks without a PIX destination');
  const order = withdrawalOrder(services.sealer, operation, id, body, { pix });
  return answered(await createWithdrawal(services, order, operation.clock), body);
}

async function cancel(services: WithdrawalServices, { operationId, id }: WithdrawalColumns) {
  const { database, sealer, workflows } = services;
  const read = async () => {
    const row = await WITHDRAWALS.find(database, operationId, id);
    const isSent = row?.status === 'approved' && (await isPayoutTaken(database, id));
    return row === null ? null : { row, isSent };
  };
  const now = await askThenRead(
    () => workflows.cancel(id),
    read,
    (found) => found !== null && withdrawalAllows('cancel', found.row.status) && !found.isSent,
  );
  if (now === null) return unavailable();
  const sent = now.isSent ? SENT : undefined;
  return endedCancel(now.row, sealer) ?? invalidTransition(presentRow(now.row, sealer), sent);
}

function answered(answer: CreationAnswer, body: CreateWithdrawalBody) {
  if (answer === 'unavailable') return unavailable();
  return 'withdrawal' in answer ? { status: 201, body: answer.withdrawal } : explainedWithdrawalRefusal(answer, body);
}

const badCursor = () => invalidField('cursor', 'format', CURSOR_FORMAT);

/** A cancel's answer for an ended withdrawal; null while its workflow decides. */
function endedCancel(row: WithdrawalColumns, sealer: Sealer) {
  if (row.status === 'cancelled') return ok(presentRow(row, sealer));
  return isWithdrawalClosed(row.status) ? invalidTransition(presentRow(row, sealer)) : null;
}

/** base64url of the last withdrawal's id. */
function encodeCursor(withdrawalId: string): string {
  return Buffer.from(withdrawalId, 'utf8').toString('base64url');
}

/** `null` for any text that `encodeCursor` does not make. */
function decodeCursor(cursor: string): string | null {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  return /^wdr_[A-Za-z0-9]{1,96}$/.test(id) && encodeCursor(id) === cursor ? id : null;
}
