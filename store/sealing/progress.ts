// The progress of a check that takes several steps, as it crosses Temporal between them. A keyed proof shows that a
// step of the gateway wrote it: no one else can claim that a part was checked, or what it found.
import type { Sealer } from './sealer.js';

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
