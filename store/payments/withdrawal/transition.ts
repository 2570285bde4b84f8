// Stores a change of a withdrawal with its event, ledger entries, alerts, audit entry and decision, in one SQL
// statement that compares the row's revision.
import { presentEvent, presentWithdrawal } from '../../../contract/http/presenters.js';
import { newId } from '../../../domain/identifiers.js';
import { writeJson } from '../../../domain/money.js';
import type { ReviewDecision } from '../../../domain/payments/deposit.js';
import { changed, movementsOf, resolvedBy, type WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import { WITHDRAWAL_TRANSITIONS, type WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import type { WriteOffAct } from '../../../domain/payments/write-off.js';
import type { SealedTarget } from '../../events/deliveries.js';
import { unlessTaken } from '../../ledger/bank-movements.js';
import { decisionParameter } from '../../rules/decisions.js';
import { operatorReasonsOf } from '../../sealing/orders.js';
import { rowOf, sqlFile } from '../../statements.js';
import { usedActParameter } from '../../staff/acts.js';
import {
  auditParameter,
  beginAttempt,
  type Changed,
  eventParameters,
  type EventStore,
  movementsParameter,
  type NewEvent,
  newEvent,
  type PaymentWrite,
  type PublishedEvent,
  type ReviewAct,
} from '../effects.js';
import type { WithdrawalRow } from './read.js';

const TRANSITION = sqlFile('payments/withdrawal/transition.sql');

export type WithdrawalWrite = PaymentWrite<WithdrawalRow, WithdrawalChange>;

/**
 * @returns the withdrawal after the change; `null` if nothing was stored: the row changed since it was read, the act
 * cannot be done, or the operation's automatic cap is used up. The caller reads and decides again. Throws
 * MovementTakenError if another payment has a movement of the bank that the change enters
 */
export async function storeWithdrawalChange(store: EventStore, write: WithdrawalWrite): Promise<WithdrawalRow | null> {
  const { row, event: published } = withdrawalAfter(write);
  const { snapshot: withdrawal } = row.record;
  const event = newWithdrawalEvent(store, withdrawal, row.order.sealedRequest, published);
  const movements = movementsOf(withdrawal, write.change);
  const statement = TRANSITION({
    ...parametersOf(write, row),
    ...eventParameters(event),
    movements: movementsParameter(movements),
  });
  const answer = rowOf<Stored>(store.database, statement);
  const result = await unlessTaken(store.database, withdrawal, movements, answer);
  if (result?.changed !== 1) return null;
  const snapshot = { ...withdrawal, updatedAt: result.updatedAt };
  beginAttempt(store, snapshot, event, result.target);
  return { ...row, record: { ...row.record, snapshot } };
}

interface Stored {
  readonly changed: number;
  readonly updatedAt: string;
  readonly target: SealedTarget | null;
}

/** The withdrawal after the write, with the time of the step. The event's id is new each time. */
export function withdrawalAfter({ row, change, at }: WithdrawalWrite): Changed<WithdrawalRow> {
  const { trigger } = change;
  const event = trigger === null ? null : { id: newId('event'), type: WITHDRAWAL_TRANSITIONS[trigger].event };
  return { row: { ...row, record: changed(row.record, change, at) }, event };
}

function parametersOf({ row: { record: before }, change, at, decision }: WithdrawalWrite, { record }: WithdrawalRow) {
  const { snapshot, keyOwner, lookupEndToEndId, judgement, returnedParts } = record;
  const { id, operationId, provider, currency, amountMinor } = snapshot;
  const { mode, reasons, ruleSetVersion, decidedBy, decidedAt } = snapshot.decision;
  const act =
    change.cancelled ??
    newAct(before.snapshot.decision.decidedBy, decidedBy) ??
    newWriteOffAct(before.snapshot.writeOffs, snapshot.writeOffs);
  return {
    ...{ id, operationId, provider, currency, amountMinor, at },
    revisionBefore: before.revision,
    versionBefore: before.snapshot.version,
    revision: record.revision,
    ...{ status: snapshot.status, version: snapshot.version, feeMinor: snapshot.feeMinor },
    ...{ keyOwner, lookupEndToEndId, judgement },
    ...{ decisionMode: mode, decisionReasons: reasons, ruleSetVersion, decidedAt },
    decidedBy: JSON.stringify(decidedBy),
    ...{ pspReference: snapshot.pspReference, failureCode: snapshot.failureCode, paidAt: snapshot.paidAt },
    contract: change.contract ?? null,
    returnedParts: writeJson(returnedParts),
    returnedMinor: returnedParts.reduce((sum, part) => sum + part.amountMinor, 0n),
    writeOffs: JSON.stringify(snapshot.writeOffs ?? []),
    resolves: resolvedBy(before.snapshot, change),
    isSendKnown: change.isSendKnown === true,
    automaticUse: change.automaticUse ? writeJson(change.automaticUse) : null,
    act: usedActParameter(change.uses),
    audit: auditParameter('withdrawal', snapshot, act, change.uses),
    decision: decisionParameter(decision),
  };
}

/** `null` if no event is published. */
export function newWithdrawalEvent(
  store: EventStore,
  withdrawal: WithdrawalSnapshot,
  sealedRequest: string,
  event: PublishedEvent | null,
): NewEvent | null {
  const { id: withdrawalId, operationId } = withdrawal;
  return newEvent(store, { operationId, objectId: withdrawalId }, event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: withdrawal.updatedAt,
      operationId: withdrawal.operationId,
      objectId: withdrawal.id,
      objectVersion: withdrawal.version,
      object: presentWithdrawal(withdrawal, () =>
        operatorReasonsOf(store.sealer, { id: withdrawalId, operationId, sealedRequest }),
      ),
    }),
  );
}

/** The review decision that was added; `null` when there is none. */
function newAct(before: readonly ReviewDecision[], after: readonly ReviewDecision[]): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: after.length };
}

/** The write-off decision that was added; `null` when there is none. */
function newWriteOffAct(before: readonly WriteOffAct[] = [], after: readonly WriteOffAct[] = []): ReviewAct | null {
  const added = after.length > before.length ? after.at(-1) : undefined;
  return added === undefined ? null : { ...added, number: `write-off-${after.length}` };
}
