// The sandbox's hands on deposits: a simulated payer at the provider, then the deposit looks at its charge as it would
// after a callback. Nothing here changes a deposit by itself.
import { invalidField, problem, type Problem } from '../../contract/http/errors.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import type { RouteResponse } from '../../contract/http/route.js';
import type { CallerOperation } from '../../contract/http/route.js';
import { TAX_DOCUMENT_TYPES } from '../../domain/documents.js';
import { depositAllows, LATE_PAYMENT_STATUSES } from '../../domain/deposit.js';
import { chargeReferenceOf } from '../../domain/identifiers.js';
import { parseAmountMinor } from '../../domain/money.js';
import type { ProviderName, SandboxSteering, SteeringResult } from '../../providers/port.js';
import { type DepositRow, depositSnapshot, findDeposit } from '../../store/deposits/rows.js';
import { type DepositServices, presentRow } from '../payments/deposits.js';
import { pollUntil, ROW_POLL_MS } from '../payments/poll.js';
import { invalidTransition, notFound, ok, unavailable } from './answers.js';
import type { ApiDependencies } from './dependencies.js';

type SandboxDepositRoutes =
  'sandboxPayDeposit' | 'sandboxExpireDeposit' | 'sandboxRefundDeposit' | 'sandboxChargeBackDeposit';

/** How long a reversal may take to become final at the provider before the answer shows the deposit as it is. */
const REVERSAL_WAIT_MS = 4_000;
const REVERSAL_POLL_MS = 250;

export function sandboxDepositHandlers(
  dependencies: ApiDependencies,
  services: DepositServices,
): Pick<RouteHandlers, SandboxDepositRoutes> {
  const { database, steering, deadlines } = dependencies;
  const find = (operation: CallerOperation, params: Readonly<Record<string, string>>) =>
    findDeposit(database, operation.id, params['id'] ?? '');
  const reversal =
    (kind: 'refund' | 'chargeback') =>
    async ({
      caller,
      params,
    }: {
      caller: { operation: CallerOperation };
      params: Readonly<Record<string, string>>;
    }) => {
      const row = await find(caller.operation, params);
      if (row === null || steering === null) return notFound();
      if (!depositAllows(kind, row.status)) return invalidTransition();
      return reverse({ services, steering, operation: caller.operation, callbackMs: deadlines.callbackMs }, row, kind);
    };

  return {
    sandboxPayDeposit: async ({ caller: { operation }, params, body }) => {
      const row = await find(operation, params);
      if (row === null || steering === null) return notFound();
      if (body?.paid_amount !== undefined && body.paid_amount.currency !== row.currency) {
        return invalidField('paid_amount.currency', 'currency_mismatch', 'differs from the deposit’s currency');
      }
      // PIX knows payers by CPF or CNPJ only.
      if (body?.payer_document !== undefined && !TAX_DOCUMENT_TYPES.includes(body.payer_document.type))
        return problem('document_invalid');
      if (!isPayable(row)) return invalidTransition();
      const result = await steering.payCharge(row.provider as ProviderName, chargeReferenceOf(row.id), {
        amountMinor: body?.paid_amount === undefined ? null : parseAmountMinor(body.paid_amount.amount),
        payerDocument: body?.payer_document ?? null,
      });
      if (result.kind !== 'done') return steeringProblem(result);
      if (!(await callbackApplied(services, row, deadlines.callbackMs))) {
        await services.workflows.refresh(depositSnapshot(row), operation.name, result.endToEndId);
      }
      return current(services, row);
    },

    sandboxExpireDeposit: async ({ caller: { operation }, params }) => {
      const row = await find(operation, params);
      if (row === null) return notFound();
      if (row.status !== 'created' && row.status !== 'pending') return invalidTransition();
      const reply = await services.workflows.expire(row.id);
      if (reply.kind === 'unavailable') return unavailable();
      return reply.kind === 'answer' && reply.value.kind === 'done' ? current(services, row) : invalidTransition();
    },

    sandboxRefundDeposit: reversal('refund'),
    sandboxChargeBackDeposit: reversal('chargeback'),
  };
}

/** Pending, or ended without money: the PIX stays payable at the provider, and such a payment is late (rule 1). */
function isPayable({ status }: DepositRow): boolean {
  return status === 'pending' || (LATE_PAYMENT_STATUSES as readonly string[]).includes(status);
}

/** `not_found`: the provider never had the charge (it had refused it), so nobody can pay it. */
function steeringProblem({ kind }: Exclude<SteeringResult, { kind: 'done' }>): Problem {
  return kind === 'unavailable' ? unavailable() : invalidTransition();
}

interface Reversing {
  readonly services: DepositServices;
  readonly steering: SandboxSteering;
  readonly operation: CallerOperation;
  readonly callbackMs: number;
}

async function reverse(
  { services, steering, operation, callbackMs }: Reversing,
  row: DepositRow,
  kind: 'refund' | 'chargeback',
): Promise<RouteResponse | Problem> {
  const result = await steering.reverseCharge(row.provider as ProviderName, chargeReferenceOf(row.id), kind);
  if (result.kind !== 'done') return steeringProblem(result);
  if (await callbackApplied(services, row, callbackMs)) return current(services, row);
  await pollUntil(REVERSAL_WAIT_MS, REVERSAL_POLL_MS, async () => {
    const reply = await services.workflows.refresh(depositSnapshot(row), operation.name, result.endToEndId);
    return reply.kind !== 'answer' || reply.value.status !== 'paid';
  });
  return current(services, row);
}

/** The provider calls back, as it would outside the sandbox: answers whether the deposit has changed by it in time. */
function callbackApplied({ database }: DepositServices, before: DepositRow, callbackMs: number): Promise<boolean> {
  return pollUntil(callbackMs, ROW_POLL_MS, async () => {
    const now = await findDeposit(database, before.operationId, before.id);
    return now === null || now.version > before.version || now.paidAt !== before.paidAt;
  });
}

/** The row after the workflow has spoken. What the provider did stands even if no worker answered: its event follows. */
async function current(
  { database, sealer }: DepositServices,
  { operationId, id }: DepositRow,
): Promise<RouteResponse | Problem> {
  const row = await findDeposit(database, operationId, id);
  return row === null ? notFound() : ok(presentRow(row, sealer));
}
