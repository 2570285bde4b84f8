// Withdrawals: request, list, read, cancel, and recall (which PIX does not have). Created by a workflow, and read from
// the newer of row and workflow: an answer of a workflow counts only if a worker vouches for it.
import { invalidField, type Problem } from '../../contract/http/errors.js';
import type { RouteRequest, RouteResponse, CallerOperation } from '../../contract/http/route.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/fields.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import { isWithdrawalClosed, withdrawalAllows, type WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import { askThenRead } from '../../platform/temporal/calls.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { isPayoutTaken } from '../../store/payments/withdrawal/payout-sends.js';
import { WITHDRAWALS, type WithdrawalColumns, withdrawalSnapshot } from '../../store/payments/withdrawal/read.js';
import { firstRefusal, WITHDRAWAL_CHECKS, explainedWithdrawalRefusal } from './creation-checks.js';
import { invalidTransition, notFound, ok, unavailable, type ApiDependencies, reservedId } from './handler.js';
import { pageFilter } from './reads.js';
import { presentWithdrawal, type PublicWithdrawal } from '../../contract/http/presenters.js';
import type { WithdrawalOrder } from '../../contract/temporal/payment.js';
import { parseAmountMinor } from '../../domain/money.js';
import { normalizePixKey } from '../../domain/pix.js';
import { displayedOperatorReasons } from '../../domain/rules/operator-reasons.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { Database } from '../../store/database.js';
import { sealedWithdrawalOrder, operatorReasonsOf, type SealedWithdrawalRequest } from '../../store/sealing/orders.js';
import type { WithdrawalWorkflows } from '../../platform/temporal/payment-workflows.js';
import { type Creation, createPayment, existingPayment, type NamedOrder, newerSnapshot } from './creation.js';

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
      ? await existingWithdrawal(services, { id, operationId: operation.id, externalId: body.external_id })
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

function answered(answer: Awaited<ReturnType<typeof createWithdrawal>>, body: CreateWithdrawalBody) {
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
async function presentCurrent(
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

interface CreatedWithdrawal {
  readonly withdrawal: PublicWithdrawal;
}

const creationOf = (services: WithdrawalServices): Creation<'withdrawal', WithdrawalColumns, CreatedWithdrawal> => ({
  kind: 'withdrawal',
  sealer: services.sealer,
  database: services.database,
  reads: WITHDRAWALS,
  answerOfRow: (row) => ({ withdrawal: presentRow(row, services.sealer) }),
  answerOfSnapshot: (snapshot, order) => ({
    withdrawal: presentWithdrawal(snapshot, () => operatorReasonsOf(services.sealer, order)),
  }),
  presentCurrent: (row) => presentCurrent(services, row),
});

/** Creates the withdrawal or returns the refusal: see `createPayment`. */
export function createWithdrawal(services: WithdrawalServices, order: WithdrawalOrder, clock?: OperationClock) {
  return createPayment(creationOf(services), order, (orderOf, attempt) =>
    services.workflows.create(orderOf, attempt, clock),
  );
}

/** The answer for a used `external_id`: see `existingPayment`. */
function existingWithdrawal(services: WithdrawalServices, order: NamedOrder) {
  return existingPayment(creationOf(services), order);
}
