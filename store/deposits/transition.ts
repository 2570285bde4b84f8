// Stores a change of a deposit with its event, ledger entries, alerts, act and decision, in one SQL statement:
// everything if the row is unchanged since it was read, otherwise nothing.
import { presentDeposit } from '../../contract/http/presenters/deposit.js';
import { presentEvent } from '../../contract/http/presenters/event.js';
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import { returnedMinor } from '../../domain/bank-movements.js';
import { DEPOSIT_TRANSITIONS, type DepositPayer, type DepositSnapshot } from '../../domain/deposit.js';
import { changed, type DepositChange, movementsOf, resolvedBy } from '../../domain/deposit-record.js';
import { newId } from '../../domain/identifiers.js';
import { unlessTaken } from '../ledger/bank-movements.js';
import type { SealedTarget } from '../events/deliveries.js';
import {
  auditParameter,
  beginAttempt,
  eventParameters,
  type EventStore,
  movementsParameter,
  type NewEvent,
  newEvent,
} from '../payments/effects.js';
import { decisionParameter, type DecisionRecord } from '../rules/decisions.js';
import { documentHash } from '../sealing/lookup-hashes.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import { sqlFile } from '../sql-file.js';
import { usedActParameter } from '../staff/acts.js';
import { rowOf } from '../statements.js';
import type { KeptDeposit } from './read.js';

const TRANSITION = sqlFile('deposits/transition.sql');

export interface DepositWrite {
  /** The deposit as it was read. */
  readonly kept: KeptDeposit;
  readonly change: DepositChange;
  /** Workflow time, RFC 3339. */
  readonly at: string;
  /** The decision that the change follows from, if there is one. */
  readonly decision: DecisionRecord | null;
}

/** The deposit after the change, and the event that it publishes. */
export interface DepositWritten {
  readonly kept: KeptDeposit;
  readonly event: PublishedEvent | null;
}

/**
 * @returns the deposit after the change; `null` if the row changed since it was read: then nothing is stored, and the
 * caller reads it again. Throws MovementTakenError if another deposit has its payment
 */
export async function storeDepositChange(store: EventStore, write: DepositWrite): Promise<KeptDeposit | null> {
  const { kept, event } = writtenBy(write);
  const toStore = newDepositEvent(store, kept, event);
  const movements = movementsOf(kept.snapshot, write.change);
  const statement = TRANSITION({
    ...parametersOf(store, write, kept),
    ...eventParameters(toStore),
    movements: movementsParameter(movements),
  });
  const answer = rowOf<Stored>(store.database, statement);
  const result = await unlessTaken(store.database, kept.snapshot, movements, answer);
  if (result?.changed !== 1) return null;
  const snapshot = { ...kept.snapshot, updatedAt: result.updatedAt };
  beginAttempt(store, snapshot, toStore, result.target);
  return { ...kept, snapshot };
}

interface Stored {
  readonly changed: number;
  readonly updatedAt: string;
  readonly target: SealedTarget | null;
}

/** The deposit after the write, with the time of the step. The event's id is new each time. */
export function writtenBy({ kept, change, at }: DepositWrite): DepositWritten {
  const { trigger, sealedPayer = kept.sealedPayer } = change;
  return {
    kept: { ...kept, ...changed(kept, change, at), sealedPayer },
    event: trigger === null ? null : { id: newId('event'), type: DEPOSIT_TRANSITIONS[trigger].event },
  };
}

function parametersOf({ sealer }: EventStore, { kept: before, change, decision }: DepositWrite, after: KeptDeposit) {
  const { snapshot: deposit, returnRequest, returnedParts, isReturnInDoubt } = after;
  const { id, operationId, instructions } = deposit;
  const { sealedPayer = null, alert = null } = change;
  const payer = openPayer(sealer, deposit, sealedPayer);
  return {
    ...{ id, operationId, provider: deposit.provider, currency: deposit.currency, at: deposit.updatedAt },
    revisionBefore: before.revision,
    versionBefore: before.snapshot.version,
    revision: after.revision,
    ...{ status: deposit.status, version: deposit.version, paidAmountMinor: deposit.paidAmountMinor },
    payerSealed: sealedPayer === null ? null : Buffer.from(sealedPayer, 'base64url'),
    payerDocumentHash: payer?.document ? documentHash(sealer, operationId, payer.document.number) : null,
    copyPaste: instructions?.copyPaste ?? null,
    qrCodePngBase64: instructions?.qrCodePngBase64 ?? null,
    instructionsExpiresAt: instructions?.expiresAt ?? null,
    ...{ endToEndId: deposit.endToEndId, failureCode: deposit.failureCode, reviewReasons: deposit.reviewReasons },
    decidedBy: JSON.stringify(deposit.decidedBy),
    returnRequest: returnRequest === null ? null : JSON.stringify(returnRequest),
    returns: after.returns,
    extraPayments: after.extraPayments,
    fees: JSON.stringify(after.fees),
    returnedParts: JSON.stringify(returnedParts),
    returnedMinor: returnedMinor(returnedParts, deposit.endToEndId),
    suspenseCredits: JSON.stringify(after.suspenseCredits),
    ...{ isReturnInDoubt, latePayment: deposit.latePayment, contract: change.contract ?? null },
    ...{ paidAt: deposit.paidAt, expiresAt: deposit.expiresAt },
    ...{ alertKind: alert?.kind ?? null, alertDetail: alert?.detail ?? '', alertOccasion: alert?.occasion ?? null },
    resolves: resolvedBy(before, change),
    act: usedActParameter(change.uses),
    audit: auditParameter('deposit', deposit, change.act, change.uses),
    decision: decisionParameter(decision),
    itemPayer: itemPayer(sealer, deposit, change.suspense),
  };
}

/** The payer of a payment that comes into suspense, sealed for its item. */
function itemPayer(
  sealer: Sealer,
  deposit: DepositSnapshot,
  suspense: DepositChange['suspense'],
): Uint8Array<ArrayBuffer> | null {
  if (suspense === undefined) return null;
  const { operationId, provider: account } = deposit;
  const place = placeOf('suspense_item.payer_sealed', operationId, { account, end_to_end_id: suspense.of });
  return sealer.sealBytes(place, Buffer.from(JSON.stringify(openPayer(sealer, deposit, suspense.sealedPayer)), 'utf8'));
}

function openPayer(
  sealer: Sealer,
  { id, operationId }: DepositSnapshot,
  sealedPayer: string | null,
): DepositPayer | null {
  if (sealedPayer === null) return null;
  return sealer.openJson<DepositPayer>(placeOf('deposit.payer_sealed', operationId, { id }), sealedPayer);
}

function newDepositEvent(
  store: EventStore,
  { snapshot: deposit, sealedPayer }: KeptDeposit,
  event: PublishedEvent | null,
): NewEvent | null {
  const { operationId, id: objectId } = deposit;
  return newEvent(store, { operationId, objectId }, event, ({ id, type }) =>
    presentEvent({
      id,
      type,
      createdAt: deposit.updatedAt,
      operationId: deposit.operationId,
      objectId: deposit.id,
      objectVersion: deposit.version,
      object: presentDeposit(deposit, openPayer(store.sealer, deposit, sealedPayer)),
    }),
  );
}
