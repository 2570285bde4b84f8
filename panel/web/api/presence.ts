// Whether somebody is at the page. What the page asks by itself must not keep them signed in: the panel is told so.
import type { AUTOMATIC_HEADER } from '../../../contract/panel/route.js';

/** The browser loads types of the contract only: the compiler compares the two names. */
const HEADER: typeof AUTOMATIC_HEADER = 'Panel-Automatic';
/** What follows a key or a click within this time is what a person asked for. */
const PERSONS_MS = 2_000;
const SIGNS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const;

/** Whoever has opened the page is there. */
let seenAt = Date.now();

export function watchPresence(): void {
  const note = () => {
    seenAt = Date.now();
  };
  for (const sign of SIGNS) document.addEventListener(sign, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && note());
}

/** For what the page may ask by itself: empty while somebody is there. */
export function automaticHeader(): Readonly<Record<string, string>> {
  return Date.now() - seenAt > PERSONS_MS ? { [HEADER]: '1' } : {};
}
