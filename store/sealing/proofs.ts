// What a worker says through Temporal, with a keyed proof that it did. Whoever writes to Temporal can start a workflow
// under a payment's id, and whoever polls a queue can answer for it. So the api believes an answer only with a proof by
// a key that callers of Temporal do not have: the step that stored the payment, or its refusal, gives it. Without a
// proof the row answers. A check of several steps proves its progress likewise.
import type { Vouched } from '../../contract/temporal/payment-steps.js';
import type { DepositSnapshot } from '../../domain/payments/deposit.js';
import type { WithdrawalSnapshot } from '../../domain/payments/withdrawal.js';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { DepositRefusal, WithdrawalRefusal } from '../../domain/rules/verdicts.js';
import type { Sealer } from './sealer.js';
import { KeyNotHeldError, KeysUnavailableError } from './keys.js';

interface Answers {
  readonly deposit: { readonly snapshot: DepositSnapshot; readonly refusal: DepositRefusal };
  readonly withdrawal: { readonly snapshot: WithdrawalSnapshot; readonly refusal: WithdrawalRefusal };
}
export type PaymentKind = keyof Answers;
export type SnapshotOf<Kind extends PaymentKind> = Answers[Kind]['snapshot'];

/** The payment that an answer must be about. */
export interface AnsweredPayment {
  readonly id: string;
  readonly operationId: string;
}

/**
 * The proof for a snapshot that the database holds. Nothing that a step stored fails for want of a key: then `null`.
 */
export function vouchFor<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  snapshot: SnapshotOf<Kind>,
): string | null {
  return proofOf(sealer, snapshot.operationId, stateText(kind, snapshot));
}

/** The proof for the refusal of a new payment. It is given once the refusal is stored, and so holds for ever. */
export function vouchForRefusal(
  sealer: Sealer,
  kind: PaymentKind,
  payment: AnsweredPayment,
  code: string,
): string | null {
  return proofOf(sealer, payment.operationId, refusalText(kind, payment, code));
}

/** The snapshot of an answer to a query; `null` if no step vouches for it, or it is about another payment. */
export function vouchedSnapshot<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  { id, operationId }: AnsweredPayment,
  answer: unknown,
): SnapshotOf<Kind> | null {
  const { snapshot, proof } = fieldsOf(answer) as Partial<Vouched<SnapshotOf<Kind>>>;
  const named = fieldsOf(snapshot);
  if (snapshot === undefined || named['id'] !== id || named['operationId'] !== operationId) return null;
  return isProven(sealer, operationId, proof, () => stateText(kind, snapshot)) ? snapshot : null;
}

/** An answer to a creation that may be believed. */
export type VouchedCreation<Kind extends PaymentKind> =
  | { readonly kind: 'created'; readonly snapshot: SnapshotOf<Kind> }
  | { readonly kind: 'refused'; readonly code: Answers[Kind]['refusal'] }
  /** Says nothing that the database does not say better, so nobody vouches for it. */
  | { readonly kind: 'duplicate' }
  /** No step of the gateway vouches for it. */
  | { readonly kind: 'unvouched' };

export function vouchedCreation<Kind extends PaymentKind>(
  sealer: Sealer,
  kind: Kind,
  payment: AnsweredPayment,
  answer: unknown,
): VouchedCreation<Kind> {
  const said = fieldsOf(answer);
  if (said['kind'] === 'created') {
    const snapshot = vouchedSnapshot(sealer, kind, payment, answer);
    if (snapshot !== null) return { kind: 'created', snapshot };
  }
  const { code, proof } = said;
  if (said['kind'] === 'duplicate') return { kind: 'duplicate' };
  if (said['kind'] !== 'refused' || typeof code !== 'string') return { kind: 'unvouched' };
  const isStored = isProven(sealer, payment.operationId, proof, () => refusalText(kind, payment, code));
  return isStored ? { kind: 'refused', code: code as Answers[Kind]['refusal'] } : { kind: 'unvouched' };
}

function stateText(kind: PaymentKind, snapshot: object): string {
  return canonicalJson({ vouched: kind, snapshot: snapshot as unknown as JsonValue });
}

function refusalText(kind: PaymentKind, { id, operationId }: AnsweredPayment, code: string): string {
  return canonicalJson({ vouched: kind, refused: code, id, operationId });
}

function proofOf(sealer: Sealer, operationId: string, text: string): string | null {
  return unlessKeysAreAway(() => sealer.prove(operationId, text), null);
}

/** `textOf` may meet anything: a value that has no canonical text is not proven. */
function isProven(sealer: Sealer, operationId: string, proof: unknown, textOf: () => string): boolean {
  if (typeof proof !== 'string') return false;
  try {
    const text = textOf();
    return unlessKeysAreAway(() => sealer.isProof(operationId, text, proof), false);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function unlessKeysAreAway<Value>(use: () => Value, otherwise: Value): Value {
  try {
    return use();
  } catch (error) {
    if (error instanceof KeysUnavailableError || error instanceof KeyNotHeldError) return otherwise;
    throw error;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The progress of a check that takes several steps, as it crosses Temporal between them. */
export interface Progress<State> {
  /** When the check began, RFC 3339: what it finds is true of then. */
  readonly startedAt: string;
  readonly state: State;
}

/** No check takes as long. Older progress, from the history of an earlier one, counts for nothing. */
const LASTS_MS = 24 * 3_600_000;
/** The proofs of checks are those of no operation. */
const SCOPE = 'checks';

/** `check`: the check's name, which its progress is bound to. */
export function proveProgress<State>(sealer: Sealer, check: string, progress: Progress<State>): string {
  const body = Buffer.from(JSON.stringify(progress), 'utf8').toString('base64url');
  return `${body}.${sealer.prove(SCOPE, textOf(check, body))}`;
}

/** The text that `proveProgress` wrote for the same check; `null` if it did not, or too long ago. */
export function openProgress<State>(sealer: Sealer, check: string, text: unknown, at: string): Progress<State> | null {
  if (typeof text !== 'string') return null;
  const end = text.indexOf('.');
  const body = text.slice(0, Math.max(0, end));
  if (!sealer.isProof(SCOPE, textOf(check, body), text.slice(end + 1))) return null;
  const progress = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Progress<State>;
  return Date.parse(at) - Date.parse(progress.startedAt) > LASTS_MS ? null : progress;
}

function textOf(check: string, body: string): string {
  return `progress of ${check}: ${body}`;
}
