// A provider that says `Retry-After` is not called before that time, whatever the call is about: one that is called all
// the same takes longer to recover, or closes the account. Each process keeps the time of each account for itself: of
// several workers, each learns it from one answer.
import type { HttpAnswer } from './http.js';

/** A longer wait is more likely a mistake, such as milliseconds, than the provider's wish. */
const LONGEST_WAIT_SECONDS = 3_600;
const SAYING_STATUSES = [429, 503];

/** The seconds in an answer's `Retry-After`, which is a number or a time; `null` without a readable one. */
export function retryAfterSeconds(answer: HttpAnswer, nowMs: number): number | null {
  if (answer.kind !== 'answered') return null;
  const text = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text), LONGEST_WAIT_SECONDS);
  const untilMs = httpDate(text);
  if (untilMs === null) return null;
  // The server's clock may differ from ours, and the answer mostly has its time.
  const sentMs = httpDate(answer.headers['date'] ?? '') ?? nowMs;
  return Math.min(Math.max(0, Math.ceil((untilMs - sentMs) / 1_000)), LONGEST_WAIT_SECONDS);
}

/** `Fri, 27 Nov 2026 10:00:00 GMT`. `Date.parse` alone would read many other texts. */
function httpDate(text: string): number | null {
  if (!/^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The wait that one account's provider has asked for. */
export class BackPressure {
  #untilMs = 0;

  constructor(private readonly now: () => number) {}

  /** The seconds until the account may call again; 0 if it may. */
  heldSeconds(): number {
    return Math.max(0, Math.ceil((this.#untilMs - this.now()) / 1_000));
  }

  /** What a call gets while it is held: it never leaves. */
  hold(): HttpAnswer | null {
    return this.heldSeconds() > 0 ? { kind: 'never_left', reason: 'told_to_wait' } : null;
  }

  note(answer: HttpAnswer): void {
    if (answer.kind !== 'answered' || !SAYING_STATUSES.includes(answer.status)) return;
    const seconds = retryAfterSeconds(answer, this.now());
    if (seconds !== null) this.#untilMs = Math.max(this.#untilMs, this.now() + seconds * 1_000);
  }

  /** An outcome that decides nothing, with the wait. */
  noted<Outcome extends { readonly kind: string }>(outcome: Outcome): Outcome {
    const seconds = this.heldSeconds();
    return outcome.kind === 'unknown' && seconds > 0 ? { ...outcome, retryAfterSeconds: seconds } : outcome;
  }
}
