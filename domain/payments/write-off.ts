// Writing off a payout that the provider never finishes: one whose send was never answered, or one that it accepted and
// reports as processing for ever. What must have passed before two people may enter the provider's written statement,
// and how their two decisions follow each other.
import { isSamePerson } from '../people.js';

/**
 * A provider shows an accepted payout within minutes. A write-off needs this many look-ups in a row without a trace,
 * over this many hours, before the first request; one of a payout that is processing, as many hours since its send. The
 * second person must confirm a request within `requestHours`.
 */
export const WRITE_OFF_RULES = { lookUpsWithoutTrace: 10, hoursWithoutTrace: 24, requestHours: 24 } as const;

/** The states in which people may write a payout off, and the failure code of the withdrawal that then failed. */
export const WRITE_OFF_FAILURES = {
  /** The provider has stated that it never accepted the payout. */
  approved: 'psp_never_accepted',
  /** The provider has stated that it did not pay, and never will. */
  processing: 'psp_never_paid',
} as const;
export type WriteOffStatus = keyof typeof WRITE_OFF_FAILURES;

export const WRITE_OFF_STATUSES = Object.keys(WRITE_OFF_FAILURES) as WriteOffStatus[];

export function isWriteOffStatus(status: string): status is WriteOffStatus {
  return Object.hasOwn(WRITE_OFF_FAILURES, status);
}

/**
 * One person's decision. `evidence` names the provider's written statement, such as a ticket; both people name the
 * same.
 */
export interface WriteOffAct {
  /** The id of the person's stored act, so that a repeat finds it. Never published. */
  readonly actId?: string;
  readonly person: string;
  /** In the words of the command, `gateway review conclude`. */
  readonly decision: 'request_conclusion' | 'confirm_conclusion';
  readonly reason: string;
  readonly evidence: string;
  /** RFC 3339. */
  readonly at: string;
  /** The withdrawal's state then: a request of an earlier state counts no more. */
  readonly status: WriteOffStatus;
}

/** The latest unbroken series of look-ups that found nothing. */
export interface TracelessLookUps {
  readonly lookUps: number;
  /** When the first look-up of the series was answered; `null` before it. */
  readonly since: string | null;
  /**
   * When the last look-up that brought no outcome was answered, by the database's clock; `null` before it. While the
   * payout is processing, only look-ups during a request to write it off count.
   */
  readonly lastAt: string | null;
}

/** No look-up was answered since the last trace of the payout. */
export const NO_LOOK_UPS: TracelessLookUps = { lookUps: 0, since: null, lastAt: null };

/** How old the look-up before the second decision may be. */
const LAST_LOOK_UP_COUNTS_SECONDS = 60;

/** Whether the payout was looked up just before the row was read (`readAt`), and its outcome was not found. */
export function isJustLookedUp({ lastAt }: TracelessLookUps, readAt: string): boolean {
  return lastAt !== null && Date.parse(readAt) - Date.parse(lastAt) <= LAST_LOOK_UP_COUNTS_SECONDS * 1_000;
}

export type WriteOffStep =
  | { readonly kind: 'request' | 'confirm' }
  /** `notBefore` is the earliest time for a request if nothing is found until then; `null` before the first look-up. */
  | { readonly kind: 'too_early'; readonly lookUps: number | null; readonly notBefore: string | null }
  /** The same person made the pending request. Another person must confirm it. */
  | { readonly kind: 'same_person'; readonly requestedBy: string }
  /** The pending request names other evidence. */
  | { readonly kind: 'other_evidence' };

/** What must have passed before a request. */
export interface WriteOffGrounds {
  /** Look-ups in a row without a trace, and since when; or since when a payout that is processing has been sent. */
  readonly since: string | null;
  /** `null` for a payout that is processing: it has a trace. */
  readonly lookUps: number | null;
}

/** What a person's decision counts as, given what has passed and the pending request. */
export function writeOffStep(
  decision: { readonly person: string; readonly evidence: string },
  { grounds, pending, at }: { grounds: WriteOffGrounds; pending: WriteOffAct | null; at: string },
): WriteOffStep {
  const { lookUps, since } = grounds;
  const isFew = lookUps !== null && lookUps < WRITE_OFF_RULES.lookUpsWithoutTrace;
  const notBefore = since === null ? null : hoursAfter(since, WRITE_OFF_RULES.hoursWithoutTrace);
  if (notBefore === null || isFew || at < notBefore) return { kind: 'too_early', lookUps, notBefore };
  if (pending === null || at >= lapseOf(pending)) return { kind: 'request' };
  const isSame = isSamePerson(pending.person, decision.person);
  // The requester may name other evidence. That is a new request.
  if (pending.evidence !== decision.evidence) return isSame ? { kind: 'request' } : { kind: 'other_evidence' };
  return isSame ? { kind: 'same_person', requestedBy: pending.person } : { kind: 'confirm' };
}

/** When an unconfirmed request lapses. */
export function lapseOf({ at }: WriteOffAct): string {
  return hoursAfter(at, WRITE_OFF_RULES.requestHours);
}

function hoursAfter(instant: string, hours: number): string {
  return new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
}

/**
 * The first person's request that waits for the second one; `null` when there is none, it lapsed, or the withdrawal is
 * in another state by now.
 */
export function pendingRequest(
  { status, writeOffs = [] }: { readonly status: string; readonly writeOffs?: readonly WriteOffAct[] },
  at: string,
): WriteOffAct | null {
  const last = writeOffs.at(-1);
  const isPending = last?.decision === 'request_conclusion' && last.status === status && at < lapseOf(last);
  return isPending ? last : null;
}
