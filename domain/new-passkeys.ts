// When a new passkey signs: a stolen session can make one, so it waits until its person has noticed it, or a second
// person has confirmed it.
import type { OwnActKind } from './staff.js';

interface Signing {
  /** From when it signs acts; `null`: it waits for a second person, and signs nobody in. */
  readonly signsFrom: Date | null;
}

/** Whether the passkey signs acts now: it is not new, or a second person has confirmed it. */
export function signsNow({ signsFrom }: Signing, now: Date): boolean {
  return signsFrom !== null && signsFrom <= now;
}

/** Whether it signs an act of this kind: a new one that signs in also begins a session of the command line. */
export function signsAct(passkey: Signing, kind: string, now: Date): boolean {
  return kind === ('session.command' satisfies OwnActKind) ? passkey.signsFrom !== null : signsNow(passkey, now);
}
