// The sandbox's actions on deposits: a simulated payer acts at the provider, then the deposit looks its charge up as
// after a callback. Nothing here changes a deposit directly.
import { invalidField, problem, type Problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import type { CallerOperation, RouteRequest, RouteResponse } from '../../contract/http/route.js';
import type { PayDepositBody } from '../../contract/http/schemas/sandbox.js';
import { TAX_DOCUMENT_TYPES } from '../../domain/documents.js';
import { depositAllows, LATE_PAYMENT_STATUSES } from '../../domain/payments/deposit.js';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import { type Money, parseAmountMinor } from '../../domain/money.js';
import type { AccountName, SandboxSteering, SteeringResult } from '../../providers/port.js';
import { askThenRead } from '../../platform/temporal/calls.js';
import { type DepositColumns, DEPOSITS, depositSnapshot } from '../../store/payments/deposit/read.js';
import { insertAct } from '../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../store/staff/people.js';
import { type DepositServices, presentRow } from './deposits.js';
import { pollUntil, ROW_POLL_MS } from '../../platform/http/bounded.js';
import { invalidTransition, notFound, ok, unavailable, type ApiDependencies } from './handler.js';

type SandboxDepositRoutes =
  | 'sandboxPayDeposit'
  | 'sandboxExpireDeposit'
  | 'sandboxRefundDeposit'
  | 'sandboxChargeBackDeposit'
  | 'sandboxReverseDepositInPart'
  | 'sandboxReviewDeposit';

/** How long to wait for a reversal to become final at the provider; then the answer shows the deposit as it is. */
const REVERSAL_WAIT_MS = 4_000;
const REVERSAL_POLL_MS = 250;

export function sandboxDepositHandlers(
  dependencies: ApiDependencies,
  services: DepositServices,
): Pick<RouteHandlers, SandboxDepositRoutes> {
  const { database, steering, deadlines } = dependencies;
  const find = (operation: CallerOperation, params: Readonly<Record<string, string>>) =>
    DEPOSITS.find(database, operation.id, params['id'] ?? '');
  type Reversed = Pick<RouteRequest, 'caller' | 'params'>;
  /** `part`: of the payment; absent for what is left. */
  const reversed = async ({ caller, params }: Reversed, kind: 'refund' | 'chargeback', part?: Money) => {
    const row = await find(caller.operation, params);
    if (row === null || steering === null) return notFound();
    if (part !== undefined && part.currency !== row.currency)
      return invalidField('amount.currency', 'currency_mismatch', 'differs from the deposit’s currency');
    if (!depositAllows(kind, row.status)) return invalidTransition(presentRow(row, services.sealer));
    const reversing = { services, steering, operation: caller.operation, callbackMs: deadlines.callbackMs };
    return reverse(reversing, row, kind, part === undefined ? null : parseAmountMinor(part.amount));
  };

  return {
    sandboxReverseDepositInPart: (request) => reversed(request, request.body.kind, request.body.amount),

    sandboxPayDeposit: async ({ caller: { operation }, params, body }) => {
      const row = await find(operation, params);
      if (row === null || steering === null) return notFound();
      const refusal = paymentRefusal(row, body, services);
      if (refusal !== null) return refusal;
      const result = await steering.payCharge(row.provider as AccountName, chargeReferenceOf(row.id), {
        amountMinor: body?.paid_amount === undefined ? null : parseAmountMinor(body.paid_amount.amount),
        payerDocument: body?.payer_document ?? null,
      });
      if (result.kind !== 'done') return steeringProblem(result, row, services);
      if (!(await callbackApplied(services, row, deadlines.callbackMs))) {
        await services.workflows.refresh(depositSnapshot(row), operation.name);
      }
      return current(services, row);
    },

    sandboxExpireDeposit: async ({ caller: { operation }, params }) => {
      const row = await find(operation, params);
      if (row === null) return notFound();
      if (row.status !== 'created' && row.status !== 'pending')
        return invalidTransition(presentRow(row, services.sealer));
      const now = await askThenRead(
        () => services.workflows.expire(row.id),
        () => find(operation, params),
        (found) => found !== null && depositAllows('expiry', found.status),
      );
      if (now === null) return unavailable();
      const deposit = presentRow(now, services.sealer);
      return now.status === 'expired' ? ok(deposit) : invalidTransition(deposit);
    },

    sandboxReviewDeposit: async ({ caller: { operation }, params }) => {
      const row = await find(operation, params);
      if (row === null) return notFound();
      if (row.status !== 'under_review') return invalidTransition(presentRow(row, services.sealer));
      return review(services, row, params['decision'] === 'approve' ? 'approve' : 'return');
    },

    sandboxRefundDeposit: (request) => reversed(request, 'refund'),
    sandboxChargeBackDeposit: (request) => reversed(request, 'chargeback'),
  };
}

/** A simulated reviewer decides. A return may still be under way in the answer. */
async function review(
  services: DepositServices,
  { id, operationId, version }: DepositColumns,
  decision: 'approve' | 'return',
): Promise<RouteResponse | Problem> {
  const { database, workflows, sealer } = services;
  const actId = await insertAct(database, {
    actor: { handle: await ensureClaimedPerson(database, 'sandbox reviewer 1'), means: 'simulated', sessionId: null },
    kind: `deposit.${decision}`,
    operationId,
    subjectId: id,
    subjectVersion: version,
    reason: 'decided in the sandbox',
  });
  const reply = await workflows.review(id, { decision, actId });
  const row = await DEPOSITS.find(database, operationId, id);
  if (row === null) return notFound();
  const isStored = row.status !== 'under_review' || (decision === 'return' && reply.kind === 'answer');
  if (isStored) return ok(presentRow(row, sealer));
  return reply.kind === 'answer' ? invalidTransition(presentRow(row, sealer), NOT_CREDITABLE) : unavailable();
}

const NOT_CREDITABLE =
  'It cannot be credited: the payment is of another amount, or a part of it has gone back, or its return is under ' +
  'way. It can only be returned.';

function paymentRefusal(
  row: DepositColumns,
  body: PayDepositBody | undefined,
  { sealer }: DepositServices,
): Problem | null {
  if (body?.paid_amount !== undefined && body.paid_amount.currency !== row.currency)
    return invalidField('paid_amount.currency', 'currency_mismatch', 'differs from the deposit’s currency');
  // PIX identifies payers by CPF or CNPJ only.
  if (body?.payer_document !== undefined && !TAX_DOCUMENT_TYPES.includes(body.payer_document.type))
    return problem('document_invalid');
  return isPayable(row) ? null : invalidTransition(presentRow(row, sealer));
}

/** Pending, or ended unpaid: the PIX stays payable at the provider, and its payment counts as late (rule 1). */
function isPayable({ status }: DepositColumns): boolean {
  return status === 'pending' || (LATE_PAYMENT_STATUSES as readonly string[]).includes(status);
}

/** `not_found`: the provider refused the charge, so it cannot be paid. */
function steeringProblem(
  { kind }: Exclude<SteeringResult, { kind: 'done' }>,
  row: DepositColumns,
  { sealer }: DepositServices,
  detail = 'The provider has no charge of this deposit in that state.',
): Problem {
  return kind === 'unavailable' ? unavailable() : invalidTransition(presentRow(row, sealer), detail);
}

const NOT_SO_MUCH = 'So much is not left of the payment: parts of it have gone back already.';

interface Reversing {
  readonly services: DepositServices;
  readonly steering: SandboxSteering;
  readonly operation: CallerOperation;
  readonly callbackMs: number;
}

async function reverse(
  { services, steering, operation, callbackMs }: Reversing,
  row: DepositColumns,
  kind: 'refund' | 'chargeback',
  /** `null`: what is left. */
  amountMinor: bigint | null,
): Promise<RouteResponse | Problem> {
  const order = { kind, amountMinor };
  const result = await steering.reverseCharge(row.provider as AccountName, chargeReferenceOf(row.id), order);
  if (result.kind !== 'done')
    return steeringProblem(result, row, services, amountMinor === null ? undefined : NOT_SO_MUCH);
  // A part changes neither state nor version: its callback is followed by a look-up, and its end cannot be seen here.
  if (amountMinor !== null) return current(services, row);
  if (await callbackApplied(services, row, callbackMs)) return current(services, row);
  await pollUntil(REVERSAL_WAIT_MS, REVERSAL_POLL_MS, async () => {
    const reply = await services.workflows.refresh(depositSnapshot(row), operation.name);
    return (
      reply.kind !== 'answer' || (await DEPOSITS.find(services.database, row.operationId, row.id))?.status !== 'paid'
    );
  });
  return current(services, row);
}

/** Waits for the provider's callback, as outside the sandbox. Returns whether it changed the deposit in time. */
function callbackApplied({ database }: DepositServices, before: DepositColumns, callbackMs: number): Promise<boolean> {
  return pollUntil(callbackMs, ROW_POLL_MS, async () => {
    const now = await DEPOSITS.find(database, before.operationId, before.id);
    return now === null || now.version > before.version || now.paidAt !== before.paidAt;
  });
}

/**
 * The row after the workflow's answer. Without an answer the provider's action still took effect; its event follows.
 */
async function current(
  { database, sealer }: DepositServices,
  { operationId, id }: DepositColumns,
): Promise<RouteResponse | Problem> {
  const row = await DEPOSITS.find(database, operationId, id);
  return row === null ? notFound() : ok(presentRow(row, sealer));
}
