// The sandbox's actions on withdrawals: simulated reviewers decide and the simulated provider settles payouts. Only the
// workflow changes the withdrawal.
import type { Problem } from '../../contract/http/errors.js';
import type { CallerOperation, RouteResponse } from '../../contract/http/route.js';
import type { RouteHandlers } from '../../contract/http/routes.js';
import type { SandboxWithdrawalAction } from '../../contract/http/sandbox-routes.js';
import { payoutReferenceOf } from '../../domain/identifiers.js';
import type { WithdrawalStatus } from '../../domain/payments/withdrawal.js';
import type { AccountName, SandboxSteering, SteeringResult } from '../../providers/port.js';
import { askThenRead } from '../../platform/temporal/calls.js';
import { insertAct } from '../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../store/staff/people.js';
import { isForbiddenByRules } from '../../store/payments/reviews.js';
import { isPayoutTaken } from '../../store/payments/withdrawal/payout-sends.js';
import { WITHDRAWALS, type WithdrawalColumns, withdrawalSnapshot } from '../../store/payments/withdrawal/read.js';
import { pollUntil, ROW_POLL_MS } from '../../platform/http/bounded.js';
import { presentRow, type WithdrawalServices } from './withdrawals.js';
import { invalidTransition, notFound, ok, unavailable, type ApiDependencies } from './handler.js';

type Move =
  | { readonly by: 'reviewer'; readonly from: readonly WithdrawalStatus[]; readonly decision: 'approve' | 'refuse' }
  | {
      readonly by: 'provider';
      readonly from: readonly WithdrawalStatus[];
      readonly result: 'paid' | 'failed' | 'returned';
    };

const NOT_FOR_PIX: Move = { by: 'reviewer', from: [], decision: 'refuse' };

/** What each action does, and from which states. From any other state it answers 409. */
const MOVES: Readonly<Record<SandboxWithdrawalAction, Move>> = {
  approve: { by: 'reviewer', from: ['under_review'], decision: 'approve' },
  reject: { by: 'reviewer', from: ['under_review'], decision: 'refuse' },
  // `approved`: the send is on its way to the provider; wait for it.
  pay: { by: 'provider', from: ['approved', 'processing'], result: 'paid' },
  fail: { by: 'provider', from: ['approved', 'processing'], result: 'failed' },
  return: { by: 'provider', from: ['paid'], result: 'returned' },
  compliance_hold: NOT_FOR_PIX,
  compliance_clear: NOT_FOR_PIX,
  compliance_reject: NOT_FOR_PIX,
  send: NOT_FOR_PIX,
  transit: NOT_FOR_PIX,
  recall_accept: NOT_FOR_PIX,
  recall_reject: NOT_FOR_PIX,
};

const ARRIVAL_POLL_MS = 200;
/** How long the answer waits for the result. Later results arrive by event. */
const RESULT_WAIT_MS = 3_000;
const RESULT_POLL_MS = 300;

export function sandboxWithdrawalHandlers(
  dependencies: ApiDependencies,
  services: WithdrawalServices,
): Pick<RouteHandlers, 'sandboxActOnWithdrawal'> {
  const { database, steering, deadlines } = dependencies;
  return {
    sandboxActOnWithdrawal: async ({ caller: { operation }, params }) => {
      const row = await WITHDRAWALS.find(database, operation.id, params['id'] ?? '');
      const move = moveOf(params['action']);
      if (row === null || move === null || steering === null) return notFound();
      if (!isFrom(move, row)) return invalidTransition(presentRow(row, services.sealer));
      if (move.by === 'reviewer') return review(services, row, move.decision);
      return settle(
        { services, steering, operation, arrivalMs: deadlines.payoutArrivalMs, callbackMs: deadlines.callbackMs },
        row,
        move,
      );
    },
  };
}

function moveOf(action: string | undefined): Move | null {
  return action !== undefined && Object.hasOwn(MOVES, action) ? MOVES[action as SandboxWithdrawalAction] : null;
}

function isFrom(move: Move, { status }: WithdrawalColumns): boolean {
  return (move.from as readonly string[]).includes(status);
}

async function review(
  { database, workflows, sealer }: WithdrawalServices,
  row: WithdrawalColumns,
  decision: 'approve' | 'refuse',
): Promise<RouteResponse | Problem> {
  // Each decision is by a new person, so that two actions count as two approvals.
  const earlier = withdrawalSnapshot(row).decision.decidedBy.length;
  const handle = await ensureClaimedPerson(database, `sandbox reviewer ${earlier + 1}`);
  const actId = await insertAct(database, {
    actor: { handle, means: 'simulated', sessionId: null },
    kind: `withdrawal.${decision}`,
    operationId: row.operationId,
    subjectId: row.id,
    subjectVersion: row.version,
    reason: 'decided in the sandbox',
  });
  const isDone = (found: WithdrawalColumns) => found.decidedBy.some((one) => one.actId === actId);
  const now = await askThenRead(
    () => workflows.review(row.id, { decision, actId }),
    () => WITHDRAWALS.find(database, row.operationId, row.id),
    (found) => found?.status === 'under_review' && !isDone(found),
  );
  // Under review all the same: the rules have not judged it, or forbid it.
  if (now === null)
    return (await isForbiddenByRules(database, row.id))
      ? invalidTransition(presentRow(row, sealer), 'The rules refuse this withdrawal: it can only be rejected.')
      : unavailable();
  const withdrawal = presentRow(now, sealer);
  return isDone(now) ? ok(withdrawal) : invalidTransition(withdrawal);
}

interface Settlement {
  readonly services: WithdrawalServices;
  readonly steering: SandboxSteering;
  readonly operation: CallerOperation;
  readonly arrivalMs: number;
  readonly callbackMs: number;
}

async function settle(
  settlement: Settlement,
  row: WithdrawalColumns,
  move: Move & { by: 'provider' },
): Promise<RouteResponse | Problem> {
  const { services, steering } = settlement;
  const result = await settleAtProvider(settlement, row, move);
  if (result.kind === 'unavailable') return unavailable();
  if (result.kind !== 'done')
    return invalidTransition(
      presentRow(row, services.sealer),
      'The provider has no payout of this withdrawal in that state.',
    );
  // The callback was lost, or the send has not returned to the workflow yet: refresh until it has seen the result.
  if (!(await callbackApplied(settlement, row, move)) && !(await refreshed(settlement, row, move))) {
    // The send was lost on its way, and the order waits for it in vain: the tester ends what nobody else can.
    if (result.endToEndId === null && (await isPayoutTaken(services.database, row.id))) {
      const reference = payoutReferenceOf(row.id);
      const found = await steering.findPayout(row.provider as AccountName, reference, row.amountMinor);
      if (found.kind === 'unavailable') return unavailable();
      await refreshed(settlement, row, move);
    }
  }
  // Without a worker's answer the provider's action still took effect; its event follows.
  const current = await WITHDRAWALS.find(services.database, row.operationId, row.id);
  if (current === null) return notFound();
  // Something else ended it first (a cancel, a block-list hit at dispatch): the order at the provider never applies.
  const withdrawal = presentRow(current, services.sealer);
  return current.status === move.result || isFrom(move, current) ? ok(withdrawal) : invalidTransition(withdrawal);
}

/** Looks the payout up until the result shows. Returns whether it shows in time. */
function refreshed(
  { services, operation }: Settlement,
  row: WithdrawalColumns,
  move: Move & { by: 'provider' },
): Promise<boolean> {
  return pollUntil(RESULT_WAIT_MS, RESULT_POLL_MS, async () => {
    const reply = await services.workflows.refresh(withdrawalSnapshot(row), operation.name);
    if (reply.kind !== 'answer') return true;
    return (await WITHDRAWALS.find(services.database, row.operationId, row.id))?.status === move.result;
  });
}

/** Waits for the provider's callback, as outside the sandbox. Returns whether the result shows in time. */
function callbackApplied(
  { services, callbackMs }: Settlement,
  { operationId, id }: WithdrawalColumns,
  move: Move & { by: 'provider' },
): Promise<boolean> {
  return pollUntil(callbackMs, ROW_POLL_MS, async () => {
    const now = await WITHDRAWALS.find(services.database, operationId, id);
    return now === null || now.status === move.result || !isFrom(move, now);
  });
}

/**
 * Settles the payout. When the provider takes no orders in advance, waits for the payout of an approved withdrawal, as
 * long as it may still be sent.
 */
async function settleAtProvider(
  { services, steering, arrivalMs }: Settlement,
  row: WithdrawalColumns,
  move: Move & { by: 'provider' },
): Promise<SteeringResult> {
  let result: SteeringResult = { kind: 'not_found' };
  await pollUntil(row.status === 'approved' ? arrivalMs : 0, ARRIVAL_POLL_MS, async () => {
    result = await steering.settlePayout(row.provider as AccountName, payoutReferenceOf(row.id), move.result);
    if (result.kind !== 'not_found') return true;
    const current = await WITHDRAWALS.find(services.database, row.operationId, row.id);
    return current === null || !isFrom(move, current);
  });
  return result;
}
