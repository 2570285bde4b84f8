// Stores a change of a withdrawal with its event, ledger entries, alerts, audit entry and decision, in one SQL
// statement that compares the row's revision.
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import { newId } from '../../domain/identifiers.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/withdrawal.js';
import { changed, movementsOf, resolvedBy, type WithdrawalChange } from '../../domain/withdrawal-record.js';
import { unlessTaken } from '../ledger/bank-movements.js';
import { newAct, newWriteOffAct } from '../payments/acts.js';
import type { SealedTarget } from '../events/deliveries.js';
import {
  auditParameter,
  beginAttempt,
  eventParameters,
  type EventStore,
  movementsParameter,
} from '../payments/effects.js';
import { decisionParameter, type DecisionRecord } from '../rules/decisions.js';
import { sqlFile } from '../sql-file.js';
import { usedActParameter } from '../staff/acts.js';
import { rowOf } from '../statements.js';
import { newWithdrawalEvent } from './events.js';
import type { HeldWithdrawal } from './held.js';

const TRANSITION = sqlFile('withdrawals/transition.sql');

export interface WithdrawalWrite {
  /** As it was read: another revision stores nothing. */
  readonly held: HeldWithdrawal;
  readonly change: WithdrawalChange;
  /** Workflow time, RFC 3339. */
  readonly at: string;
  /** The rules' decision that it follows from; null without one. */
  readonly decision: DecisionRecord | null;
}

export type StoredChange =
  | { readonly kind: 'stored'; readonly held: HeldWithdrawal }
  /** The row changed since it was read, or the act cannot be done: read and decide again. Nothing was stored. */
  | { readonly kind: 'changed' }
  /** The amount exceeds what is left of the operation's automatic cap. Nothing was stored. */
  | { readonly kind: 'cap_reached' };

/** The result of the change, and the event that it publishes. */
interface Next {
  readonly held: HeldWithdrawal;
  readonly event: PublishedEvent | null;
}

/** Throws MovementTakenError if another payment has a movement of the bank that the change enters. */
export async function storeWithdrawalChange(store: EventStore, write: WithdrawalWrite): Promise<StoredChange> {
  const { held, event: published } = nextOf(write);
  const { snapshot } = held.record;
  const event = newWithdrawalEvent(store, snapshot, held.order.sealedRequest, published);
  const movements = movementsOf(snapshot, write.change);
  const statement = TRANSITION({
    ...parametersOf(write, held),
    ...eventParameters(event),
    movements: movementsParameter(movements),
  });
  const answer = rowOf<Stored>(store.database, statement);
  const result = await unlessTaken(store.database, snapshot, movements, answer);
  if (result?.changed === 1) {
    const stored = { ...snapshot, updatedAt: result.updatedAt };
    beginAttempt(store, stored, event, result.target);
    return { kind: 'stored', held: { ...held, record: { ...held.record, snapshot: stored } } };
  }
  // A person's act that cannot be used up leaves the row as it was, too: the step reads both again.
  return { kind: result?.found === 1 && write.change.automaticUse ? 'cap_reached' : 'changed' };
}

interface Stored {
  readonly changed: number;
  readonly updatedAt: string;
  readonly found: number;
  readonly target: SealedTarget | null;
}

/** The withdrawal after the write, with the time of the step. The event's id is new each time. */
export function nextOf({ held, change, at }: WithdrawalWrite): Next {
  const { trigger } = change;
  const event = trigger === null ? null : { id: newId('event'), type: WITHDRAWAL_TRANSITIONS[trigger].event };
  return { held: { ...held, record: changed(held.record, change, at) }, event };
}

function parametersOf({ held: { record: before }, change, at, decision }: WithdrawalWrite, { record }: HeldWithdrawal) {
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
    returnedParts: JSON.stringify(returnedParts),
    returnedMinor: returnedParts.reduce((sum, part) => sum + BigInt(part.amountMinor), 0n),
    writeOffs: JSON.stringify(snapshot.writeOffs ?? []),
    resolves: resolvedBy(before.snapshot, change),
    isSendKnown: change.isSendKnown === true,
    automaticUse: change.automaticUse ? JSON.stringify(change.automaticUse) : null,
    act: usedActParameter(change.uses),
    audit: auditParameter('withdrawal', snapshot, act, change.uses),
    decision: decisionParameter(decision),
  };
}
