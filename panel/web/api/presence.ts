// Whether a person uses the page. Requests by a timer must not keep them signed in: they carry a header that says so.
import type { AUTOMATIC_HEADER } from '../../../contract/panel/route.js';

/** The browser loads types of the contract only: the compiler compares the two names. */
const HEADER: typeof AUTOMATIC_HEADER = 'Panel-Automatic';
/** A request within this time after a key or a click counts as the person's. */
const PERSONS_MS = 2_000;
const SIGNS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const;

/** Opening the page counts as use. */
let seenAt = Date.now();

export function watchPresence(): void {
  const note = () => {
    seenAt = Date.now();
  };
  for (const sign of SIGNS) document.addEventListener(sign, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && note());
}

/** The headers for requests by a timer: none while a person uses the page. */
export function automaticHeader(): Readonly<Record<string, string>> {
  return Date.now() - seenAt > PERSONS_MS ? { [HEADER]: '1' } : {};
}
