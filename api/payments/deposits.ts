// Deposits as the routes serve them: created by a workflow, read from the newer of row and workflow. An answer of a
// workflow counts only if a worker vouches for it.
import { type Problem, problem } from '../../contract/http/errors.js';
import { presentDeposit, type PublicDeposit } from '../../contract/http/presenters/deposit.js';
import type { CallerOperation } from '../../contract/http/route.js';
import type { CreateDepositBody } from '../../contract/http/schemas/deposits.js';
import type { DepositOrder } from '../../contract/temporal/payment.js';
import { parseAmountMinor } from '../../domain/money.js';
import { type DepositSnapshot, isDepositClosed } from '../../domain/payments/deposit.js';
import type { OperationClock } from '../../domain/operation-clock.js';
import type { Database } from '../../store/database.js';
import { type DepositColumns, depositPayer, DEPOSITS, depositSnapshot } from '../../store/payments/deposit/read.js';
import { sealedDepositOrder } from '../../store/sealing/orders.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { DepositWorkflows } from '../../platform/temporal/payment-workflows.js';
import { believedCreation, newerSnapshot, ordersOfRuns } from './vouched.js';

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
export function depositOrder(
  sealer: Sealer,
  operation: CallerOperation,
  id: string,
  body: CreateDepositBody,
): DepositOrder {
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

export type CreationAnswer = { readonly status: 201 | 202; readonly deposit: PublicDeposit } | Problem | 'unavailable';

/** Creates the deposit or returns the refusal. Repeating it with the same id never creates a second one. */
export async function createDeposit(
  services: DepositServices,
  order: DepositOrder,
  clock?: OperationClock,
): Promise<CreationAnswer> {
  const { id, operationId } = order;
  const orderOf = ordersOfRuns(services.sealer, 'deposit', order);
  const creation = await believedCreation(services.sealer, 'deposit', { id, operationId }, (attempt) =>
    services.workflows.create(orderOf, attempt, clock),
  );
  // No decision in time, or the workflow ended and its history is gone, or nobody vouches for what was answered. A row
  // proves that the deposit was created.
  if (creation === null) return createdRow(services, order);
  switch (creation.kind) {
    case 'created':
      return createdAnswer(services, creation.snapshot);
    case 'refused':
      // A used external_id answers before the rules (checks 5 and 7), with the object that exists.
      return (await existingDeposit(services, order.operationId, order.externalId, order.id)) ?? problem(creation.code);
  }
}

/** The workflow's first answer; repeats get it too. While it says `created`, the row may already be newer. */
async function createdAnswer(services: DepositServices, first: DepositSnapshot): Promise<CreationAnswer> {
  if (first.status !== 'created') return { status: 201, deposit: await presentAnswer(services, first) };
  const row = await DEPOSITS.find(services.database, first.operationId, first.id);
  return row === null ? { status: 202, deposit: presentDeposit(first, null) } : rowAnswer(services, row);
}

/** This deposit's row, or the row with its `external_id`. A used one answers before 503 (checks 5 and 8). */
async function createdRow(
  services: DepositServices,
  { operationId, externalId, id }: DepositOrder,
): Promise<CreationAnswer> {
  const row = await DEPOSITS.find(services.database, operationId, id);
  if (row === null) return (await existingDeposit(services, operationId, externalId, id)) ?? 'unavailable';
  return rowAnswer(services, row);
}

function rowAnswer({ sealer }: DepositServices, row: DepositColumns): Exclude<CreationAnswer, string> {
  return { status: row.status === 'created' ? 202 : 201, deposit: presentRow(row, sealer) };
}

/**
 * The answer for a used `external_id`: a refusal with the existing object. When an earlier attempt of this request
 * created that object, the answer is the object itself: a refusal would deny a payment that exists. `null` if the id is
 * free.
 */
export async function existingDeposit(
  services: DepositServices,
  operationId: string,
  externalId: string,
  ownId: string,
): Promise<Exclude<CreationAnswer, string> | null> {
  const row = await DEPOSITS.findOfExternalId(services.database, operationId, externalId);
  if (row === null) return null;
  if (row.id === ownId) return rowAnswer(services, row);
  return problem('duplicate_external_id', { existing: await presentCurrent(services, row) });
}
