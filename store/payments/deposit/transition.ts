// Stores a change of a deposit with its event, ledger entries, alerts, act and decision, in one SQL statement:
// everything if the row is unchanged since it was read, otherwise nothing.
import { presentDeposit, presentEvent } from '../../../contract/http/presenters.js';
import { returnedMinor } from '../../../domain/bank-movements.js';
import { writeJson } from '../../../domain/money.js';
import { DEPOSIT_TRANSITIONS, type DepositPayer, type DepositSnapshot } from '../../../domain/payments/deposit.js';
import { changed, type DepositChange, movementsOf, resolvedBy } from '../../../domain/payments/deposit-record.js';
import { newId } from '../../../domain/identifiers.js';
import { unlessTaken } from '../../ledger/bank-movements.js';
import type { SealedTarget } from '../../events/deliveries.js';
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
} from '../effects.js';
import { decisionParameter } from '../../rules/decisions.js';
import { documentHash, type Sealer } from '../../sealing/sealer.js';
import { placeOf } from '../../sealing/places.js';
import { rowOf, sqlFile } from '../../statements.js';
import { usedActParameter } from '../../staff/acts.js';
import type { DepositRow } from './read.js';

const TRANSITION = sqlFile('payments/deposit/transition.sql');

export type DepositWrite = PaymentWrite<DepositRow, DepositChange>;

/**
 * @returns the deposit after the change; `null` if the row changed since it was read: then nothing is stored, and the
 * caller reads it again. Throws MovementTakenError if another deposit has its payment
 */
export async function storeDepositChange(store: EventStore, write: DepositWrite): Promise<DepositRow | null> {
  const { row, event } = depositAfter(write);
  const { snapshot: deposit } = row.record;
  const toStore = newDepositEvent(store, row, event);
  const movements = movementsOf(deposit, write.change);
  const statement = TRANSITION({
    ...parametersOf(store, write, row),
    ...eventParameters(toStore),
    movements: movementsParameter(movements),
  });
  const answer = rowOf<Stored>(store.database, statement);
  const result = await unlessTaken(store.database, deposit, movements, answer);
  if (result?.changed !== 1) return null;
  const snapshot = { ...deposit, updatedAt: result.updatedAt };
  beginAttempt(store, snapshot, toStore, result.target);
  return { ...row, record: { ...row.record, snapshot } };
}

interface Stored {
  readonly changed: number;
  readonly updatedAt: string;
  readonly target: SealedTarget | null;
}

/** The deposit after the write, with the time of the step. The event's id is new each time. */
export function depositAfter({ row, change, at }: DepositWrite): Changed<DepositRow> {
  const { trigger, sealedPayer = row.sealedPayer } = change;
  const event = trigger === null ? null : { id: newId('event'), type: DEPOSIT_TRANSITIONS[trigger].event };
  return { row: { ...row, record: changed(row.record, change, at), sealedPayer }, event };
}

function parametersOf(
  { sealer }: EventStore,
  { row: { record: before }, change, decision }: DepositWrite,
  { record: after }: DepositRow,
) {
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
    returnRequest: returnRequest === null ? null : writeJson(returnRequest),
    returns: after.returns,
    extraPayments: after.extraPayments,
    fees: writeJson(after.fees),
    returnedParts: writeJson(returnedParts),
    returnedMinor: returnedMinor(returnedParts, deposit.endToEndId),
    suspenseCredits: writeJson(after.suspenseCredits),
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
  { record: { snapshot: deposit }, sealedPayer }: DepositRow,
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
