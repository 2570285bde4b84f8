// Verdicts of the rules engine, and the codes of its refusals. They pass through Temporal: codes, versions and times
// only.
import type { DepositReviewReason } from '../payments/deposit.js';
import type { AutomaticUse } from './automatic-limits.js';

/** The rules' refusals at creation, by their error codes (422, no object). */
export const DEPOSIT_REFUSALS = [
  'amount_below_minimum',
  'amount_above_maximum',
  'document_mismatch',
  'player_blocked',
  'destination_blocked',
  'velocity_exceeded',
] as const;
export type DepositRefusal = (typeof DEPOSIT_REFUSALS)[number];

export const WITHDRAWAL_REFUSALS = [
  'amount_below_minimum',
  'amount_above_maximum',
  'document_invalid',
  'document_mismatch',
  'player_blocked',
  'destination_blocked',
  'velocity_exceeded',
  'insufficient_operation_balance',
] as const;
export type WithdrawalRefusal = (typeof WITHDRAWAL_REFUSALS)[number];

/** Whether a deposit may be created. */
export type DepositVerdict =
  | {
      readonly kind: 'accept';
      readonly ruleSetVersion: number;
      /** The player revision of the facts: the insert fails on a newer one. Absent when no limit uses the history. */
      readonly playerRevision?: string;
    }
  | {
      readonly kind: 'refuse';
      readonly code: DepositRefusal;
      readonly reasons: readonly string[];
      readonly ruleSetVersion: number;
    };

/** Whether a payment may be credited at once. */
export type PaymentVerdict =
  | { readonly kind: 'credit'; readonly ruleSetVersion: number }
  | { readonly kind: 'review'; readonly reasons: readonly DepositReviewReason[]; readonly ruleSetVersion: number };

/**
 * The result of a key look-up when a withdrawal is decided. `weak_match`: the visible part of a masked document
 * matches. `at_send`: there is no directory; the provider compares the holder when it sends, and refuses a key of
 * another person.
 */
export const KEY_OWNER_FINDINGS = [
  'not_asked',
  'match',
  'weak_match',
  'at_send',
  'mismatch',
  'no_such_key',
  'unavailable',
] as const;
export type KeyOwnerFinding = (typeof KEY_OWNER_FINDINGS)[number];

/** Whether a withdrawal is automatic, reviewed or refused. */
export type WithdrawalVerdict =
  | {
      readonly kind: 'refuse';
      readonly code: WithdrawalRefusal;
      readonly reasons: readonly string[];
      readonly ruleSetVersion: number;
    }
  | {
      readonly kind: 'automatic' | 'review';
      readonly reasons: readonly string[];
      readonly ruleSetVersion: number;
      /** The key's holder must be looked up (DICT) before the verdict counts. */
      readonly keyCheckNeeded: boolean;
      /** The player revision of the facts: the insert fails on a newer one. */
      readonly playerRevision: string;
      /** Automatic only: where it counts against the operation's cap. The transaction compares it again. */
      readonly automaticUse?: AutomaticUse;
    };

/** The waits of an approved withdrawal that only a person can end. */
const PEOPLE_WAITS = ['cash_box', 'operation_suspended', 'provider_paused'] as const;
export type PeopleWait = (typeof PEOPLE_WAITS)[number];

/** What an approved withdrawal can wait for before it is sent. */
export type DispatchWait = PeopleWait | 'automatic_hours';

/** Whether an approved withdrawal may be sent now. */
export type DispatchVerdict =
  | { readonly kind: 'send'; readonly ruleSetVersion: number }
  | { readonly kind: 'blocked'; readonly ruleSetVersion: number }
  | { readonly kind: 'wait'; readonly for: 'automatic_hours'; readonly until: string; readonly ruleSetVersion: number }
  | {
      readonly kind: 'wait';
      readonly for: PeopleWait;
      readonly until: null;
      readonly ruleSetVersion: number;
    };

/** Checks the shape of an answer. An answer of another shape is RULES_INVALID_RESPONSE. */
export function isWithdrawalVerdict(value: unknown): value is WithdrawalVerdict {
  const verdict = asVerdict(value, ['automatic', 'review', 'refuse']);
  if (verdict === null || !isTextList(verdict['reasons'])) return false;
  if (verdict['kind'] === 'refuse') return typeof verdict['code'] === 'string' && verdict['reasons'].length > 0;
  if (verdict['kind'] === 'automatic' && verdict['reasons'].length > 0) return false;
  if (verdict['kind'] === 'review' && verdict['reasons'].length === 0) return false;
  return typeof verdict['keyCheckNeeded'] === 'boolean' && typeof verdict['playerRevision'] === 'string';
}

export function isDepositVerdict(value: unknown): value is DepositVerdict {
  const verdict = asVerdict(value, ['accept', 'refuse']);
  if (verdict === null) return false;
  if (verdict['kind'] === 'refuse') return typeof verdict['code'] === 'string' && isTextList(verdict['reasons']);
  return verdict['playerRevision'] === undefined || typeof verdict['playerRevision'] === 'string';
}

export function isPaymentVerdict(value: unknown): value is PaymentVerdict {
  const verdict = asVerdict(value, ['credit', 'review']);
  return (
    verdict !== null &&
    (verdict['kind'] === 'credit' || (isTextList(verdict['reasons']) && verdict['reasons'].length > 0))
  );
}

export function isDispatchVerdict(value: unknown): value is DispatchVerdict {
  const verdict = asVerdict(value, ['send', 'blocked', 'wait']);
  if (verdict === null) return false;
  if (verdict['kind'] !== 'wait') return true;
  if (verdict['for'] === 'automatic_hours')
    return typeof verdict['until'] === 'string' && !Number.isNaN(Date.parse(verdict['until']));
  return PEOPLE_WAITS.some((wait) => wait === verdict['for']);
}

function asVerdict(value: unknown, kinds: readonly string[]): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  const verdict = value as Record<string, unknown>;
  return kinds.includes(String(verdict['kind'])) && Number.isInteger(verdict['ruleSetVersion']) ? verdict : null;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
