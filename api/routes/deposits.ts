// Deposits: create, list, read, cancel. Created by a workflow, and read from the newer of row and workflow: an answer
// of a workflow counts only if a worker vouches for it.
import { invalidField, type Problem } from '../../contract/http/errors.js';
import type { RouteResponse, CallerOperation } from '../../contract/http/route.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import { CURSOR_FORMAT } from '../../contract/http/schemas/fields.js';
import { depositAllows, isDepositClosed, type DepositSnapshot } from '../../domain/payments/deposit.js';
import { askThenRead } from '../../platform/temporal/calls.js';
import { type DepositColumns, DEPOSITS, depositPayer, depositSnapshot } from '../../store/payments/deposit/read.js';
import { DEPOSIT_CHECKS, firstRefusal, explainedDepositRefusal } from './creation-checks.js';
import { invalidTransition, notFound, ok, unavailable, type ApiDependencies, reservedId } from './handler.js';
import { pageFilter } from './reads.js';
import { presentDeposit, type PublicDeposit } from '../../contract/http/presenters.js';
import type { CreateDepositBody } from '../../contract/http/schemas/deposits.js';
import type { DepositOrder } from '../../contract/temporal/payment.js';
import { parseAmountMinor } from '../../domain/money.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { Database } from '../../store/database.js';
import { sealedDepositOrder } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { DepositWorkflows } from '../../platform/temporal/payment-workflows.js';
import { type Creation, createPayment, existingPayment, type NamedOrder, newerSnapshot } from './creation.js';

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
          ? await existingDeposit(services, { id, operationId: operation.id, externalId: request.body.external_id })
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

function answered(answer: Awaited<ReturnType<typeof createDeposit>>) {
  if (answer === 'unavailable') return unavailable();
  return 'deposit' in answer ? { status: answer.status, body: answer.deposit } : explainedDepositRefusal(answer);
}

const badCursor = () => invalidField('cursor', 'format', CURSOR_FORMAT);

/** A cancel's answer for an ended deposit; null while its workflow decides. */
function endedCancel(row: DepositColumns, { sealer }: DepositServices) {
  if (row.status === 'cancelled') return ok(presentRow(row, sealer));
  return isDepositClosed(row.status) ? invalidTransition(presentRow(row, sealer)) : null;
}

export interface DepositServices {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly workflows: DepositWorkflows;
}

/** The row as served, with the payer decrypted. */
export function presentRow(row: DepositColumns, sealer: Sealer): PublicDeposit {
  return presentDeposit(depositSnapshot(row), depositPayer(row, sealer));
}

/** A snapshot that a worker vouches for. The payer is in Postgres only: then the row is served. */
async function presentAnswer({ database, sealer }: DepositServices, snapshot: DepositSnapshot): Promise<PublicDeposit> {
  if (!snapshot.hasPayer) return presentDeposit(snapshot, null);
  const row = await DEPOSITS.find(database, snapshot.operationId, snapshot.id);
  return row === null ? presentDeposit(snapshot, null) : presentRow(row, sealer);
}

/**
 * The deposit as it is now: from the row when it has ended or the payer is needed, otherwise from the open workflow
 * unless the row is newer.
 */
export async function presentCurrent(services: DepositServices, row: DepositColumns): Promise<PublicDeposit> {
  const { sealer, workflows } = services;
  const stored = depositSnapshot(row);
  if (isDepositClosed(stored.status) || stored.hasPayer) return presentRow(row, sealer);
  const held = newerSnapshot(sealer, 'deposit', stored, await workflows.query(stored));
  return held === null ? presentRow(row, sealer) : presentAnswer(services, held);
}

/** The workflow's input. Personal data is sealed. */
function depositOrder(sealer: Sealer, operation: CallerOperation, id: string, body: CreateDepositBody): DepositOrder {
  const { player, locale, metadata } = body;
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
    expiresInSeconds: body.expires_in_seconds,
  };
  return sealedDepositOrder(sealer, order, { player, locale, metadata });
}

interface CreatedDeposit {
  readonly status: 201 | 202;
  readonly deposit: PublicDeposit;
}

const creationOf = (services: DepositServices): Creation<'deposit', DepositColumns, CreatedDeposit> => ({
  kind: 'deposit',
  sealer: services.sealer,
  database: services.database,
  reads: DEPOSITS,
  answerOfRow: (row) => rowAnswer(services, row),
  answerOfSnapshot: (snapshot) => createdAnswer(services, snapshot),
  presentCurrent: (row) => presentCurrent(services, row),
});

/** Creates the deposit or returns the refusal: see `createPayment`. */
export function createDeposit(services: DepositServices, order: DepositOrder, clock?: OperationClock) {
  return createPayment(creationOf(services), order, (orderOf, attempt) =>
    services.workflows.create(orderOf, attempt, clock),
  );
}

/** The answer for a used `external_id`: see `existingPayment`. */
function existingDeposit(services: DepositServices, order: NamedOrder) {
  return existingPayment(creationOf(services), order);
}

/** The workflow's first answer; repeats get it too. While it says `created`, the row may already be newer. */
async function createdAnswer(services: DepositServices, first: DepositSnapshot): Promise<CreatedDeposit> {
  if (first.status !== 'created') return { status: 201, deposit: await presentAnswer(services, first) };
  const row = await DEPOSITS.find(services.database, first.operationId, first.id);
  return row === null ? { status: 202, deposit: presentDeposit(first, null) } : rowAnswer(services, row);
}

function rowAnswer({ sealer }: DepositServices, row: DepositColumns): CreatedDeposit {
  return { status: row.status === 'created' ? 202 : 201, deposit: presentRow(row, sealer) };
}
