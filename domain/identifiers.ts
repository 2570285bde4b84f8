// Opaque, prefixed identifiers. A payment's id is also its Temporal workflow id and the provider's idempotency
// reference.

export const ID_PREFIXES = {
  deposit: 'dep_',
  withdrawal: 'wdr_',
  event: 'evt_',
  operation: 'op_',
  alert: 'alr_',
  ruleChange: 'chg_',
  approvalRequest: 'apr_',
  staffAct: 'act_',
  cashMovement: 'csh_',
  itemReturn: 'ret_',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** The id of an API key of either environment (specification: Svc-Key-Id). */
export const KEY_ID = /^key_(test|live)_[A-Za-z0-9]{1,64}$/;

/** Whether it names a key of an operator: no handle of a person has its form. */
export function isApiKey(text: string): boolean {
  return KEY_ID.test(text);
}

/** A new identifier: the kind's prefix and 32 hex characters. */
export function newId(kind: IdKind): string {
  return ID_PREFIXES[kind] + crypto.randomUUID().replaceAll('-', '');
}

/** Whether a path parameter has the form of an id (specification: `^dep_[A-Za-z0-9]+$`). */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return text.startsWith(prefix) && text.length <= 100 && /^[A-Za-z0-9]+$/.test(text.slice(prefix.length));
}

/** Whether a text has exactly the form of a generated id. Other texts with the prefix could contain personal data. */
export function isIdOfOurs(text: string): boolean {
  return Object.values(ID_PREFIXES).some(
    (prefix) => text.startsWith(prefix) && /^[0-9a-f]{32}$/.test(text.slice(prefix.length)),
  );
}

/** The API Pix `txid` of a deposit: its id without the prefix, 32 characters of `[a-zA-Z0-9]{26,35}`. */
export function chargeReferenceOf(depositId: string): string {
  return depositId.slice(ID_PREFIXES.deposit.length);
}

/** The deposit that an API Pix `txid` belongs to. */
export function depositIdOf(chargeReference: string): string {
  return ID_PREFIXES.deposit + chargeReference;
}

/**
 * The provider's id of a return of the deposit's payment: the charge's reference for the first one that people
 * requested, and an id of its own for each later one, so that a return which is over is never asked for again. At most
 * 35 characters.
 */
export function returnReferenceOf(depositId: string, number: number): string {
  const charge = chargeReferenceOf(depositId);
  return number <= 1 ? charge : `${charge}r${number}`;
}

/** Whether it is the id of one of our returns of a payment on this charge. */
export function isReturnReference(chargeReference: string, reference: string): boolean {
  return reference.startsWith(chargeReference) && /^(r\d+)?$/.test(reference.slice(chargeReference.length));
}

/** The deposit that one of our returns, or its charge, belongs to. */
export function depositIdOfReturn(reference: string): string {
  return depositIdOf(/^([0-9a-f]{32})r\d+$/.exec(reference)?.[1] ?? reference);
}

/** The provider's idempotency reference of a payout: the withdrawal's id without the prefix. */
export function payoutReferenceOf(withdrawalId: string): string {
  return withdrawalId.slice(ID_PREFIXES.withdrawal.length);
}

/** The withdrawal that a payout reference belongs to. */
export function withdrawalIdOf(payoutReference: string): string {
  return ID_PREFIXES.withdrawal + payoutReference;
}
