// What stays of a player's sealed values when the person is erased: what the payment's records and the interface need,
// and nothing that identifies the person. The shapes stay, so that every reader still works.
import type { DepositPayer } from '../../domain/payments/deposit.js';
import type { SealedDepositRequest, SealedPlayer, SealedWithdrawalRequest } from '../sealing/orders.js';

/** Stands where a shape needs a text. No document, key or name looks like it. */
export const ERASED = 'erased';

function erasedDocument({ type, country }: SealedPlayer['document']): SealedPlayer['document'] {
  return { type, number: ERASED, country };
}

const erasedPlayer = ({ external_ref, document }: SealedPlayer): SealedPlayer => ({
  external_ref,
  document: erasedDocument(document),
});

export const redactedDepositRequest = ({ player, amount }: SealedDepositRequest): SealedDepositRequest => ({
  player: erasedPlayer(player),
  amount,
});

export const redactedWithdrawalRequest = ({
  player,
  amount,
  destination,
}: SealedWithdrawalRequest): SealedWithdrawalRequest => ({
  player: erasedPlayer(player),
  amount,
  destination: { pix: { key_type: destination.pix.key_type, key: ERASED } },
});

export const redactedPayer = ({ matchesPlayer }: DepositPayer): DepositPayer => ({
  document: null,
  name: null,
  matchesPlayer,
});

/** An object as the interface serves it: without the payer's document and name, and the operator's own words. */
export function redactedObject(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const { payer, decision } = object as { payer?: object | null; decision?: { reasons?: readonly string[] } | null };
  return {
    ...object,
    ...(payer == null ? {} : { payer: { ...payer, document: null, name: null } }),
    ...(decision?.reasons === undefined
      ? {}
      : { decision: { ...decision, reasons: decision.reasons.filter((reason) => !reason.startsWith('OP:')) } }),
  };
}

/** The body of an event. */
export function redactedEvent(envelope: { readonly data: { readonly object: unknown } }): unknown {
  return { ...envelope, data: { object: redactedObject(envelope.data.object) } };
}
