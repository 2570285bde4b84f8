// The clocks of providers, compared with the gateway's (PostgreSQL's). A provider's time is used only where it makes
// sense: some write local time as if it were UTC, which is hours wrong. What is minutes away is not used at all.
import type { RecordWords } from './alert-records.js';

/** Clocks that differ by no more are ordinary: the call takes its time, and no two clocks agree. */
const CLOCK_TOLERANCE_MS = 120_000;

/** What the gateway knows itself: something happened after the one moment and not after the other. RFC 3339. */
export interface KnownSpan {
  /** When the gateway first asked for it. */
  readonly since: string;
  /** The step's own time. */
  readonly at: string;
  /** In the sandbox: these are times of the operation's own clock, with which no provider's can be compared. */
  readonly isOwnClock?: boolean;
}

/** A moment to work with. `drifts`: the provider's clock is minutes away, and the moment is the gateway's own. */
export interface CheckedMoment {
  readonly at: string;
  readonly drifts: boolean;
}

/** A provider's time of something that happened in the span. Never in the future, and never before it was asked for. */
export function checkedMoment(stated: string, { since, at, isOwnClock }: KnownSpan): CheckedMoment {
  if (isOwnClock === true) return { at, drifts: false };
  if (isOutside(stated, { since, at })) return { at, drifts: true };
  const ms = Math.min(Math.max(Date.parse(stated), Date.parse(since)), Date.parse(at));
  return { at: new Date(ms).toISOString(), drifts: false };
}

/** Whether a provider's time cannot be that of something in the span. */
export function isOutside(stated: string, { since, at, isOwnClock }: KnownSpan): boolean {
  if (isOwnClock === true) return false;
  const ms = Date.parse(stated);
  return ms < Date.parse(since) - CLOCK_TOLERANCE_MS || ms > Date.parse(at) + CLOCK_TOLERANCE_MS;
}

/** How long a charge can be paid, by the provider's clock. */
export interface StatedTerm {
  /** `null` if the provider does not say. */
  readonly createdAt: string | null;
  readonly expiresAt: string;
}

export type CheckedTerm =
  | { readonly kind: 'runs'; readonly expiresAt: string; readonly drifts: boolean }
  /** It was made a while ago, for an answer that was lost, and can be paid no more. */
  | { readonly kind: 'over' };

/**
 * Until when a charge that was answered now can be paid. With a clock that is minutes away: the agreed term from now
 * on, which is never before the provider's own end, so that no payment counts as late that was not.
 */
export function checkedTerm(
  { createdAt, expiresAt }: StatedTerm,
  { termSeconds, ...span }: KnownSpan & { readonly termSeconds: number },
): CheckedTerm {
  const termMs = termSeconds * 1_000;
  const agreed = new Date(Date.parse(span.at) + termMs).toISOString();
  if (span.isOwnClock === true) return { kind: 'runs', expiresAt: agreed, drifts: false };
  // Without a time of creation it is as long before the end as was agreed.
  const begun = createdAt ?? new Date(Date.parse(expiresAt) - termMs).toISOString();
  if (isOutside(begun, span)) return { kind: 'runs', expiresAt: agreed, drifts: true };
  if (Date.parse(expiresAt) > Date.parse(span.at)) return { kind: 'runs', expiresAt, drifts: false };
  // Over at once: a clock that is behind, unless the charge is from an earlier request.
  const isFresh = Date.parse(begun) >= Date.parse(span.at) - CLOCK_TOLERANCE_MS;
  return isFresh ? { kind: 'runs', expiresAt: agreed, drifts: true } : { kind: 'over' };
}

/** How far away a stated time is, for people: whole minutes, ahead or behind. */
export function differenceOf(
  stated: string,
  at: string,
): { readonly minutes: number; readonly side: RecordWords['side'] } {
  const minutes = Math.round((Date.parse(stated) - Date.parse(at)) / 60_000);
  return { minutes: Math.abs(minutes), side: minutes < 0 ? 'behind' : 'ahead of' };
}
