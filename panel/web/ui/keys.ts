// Keyboard shortcuts of one key, and of G followed by a letter. They are ignored while the user types, while a dialog
// is open (which has its own) and when they are turned off.
import { useEffect, useRef } from 'react';
import { currentPreferences } from '../preferences.js';

export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_200;
/** The G that began a sequence. Every listener sees that press itself before, and the next one after it began. */
let begun: KeyboardEvent | null = null;
let goingUntil: ReturnType<typeof setTimeout> | undefined;

const isGoingAt = (event: KeyboardEvent) => begun !== null && begun !== event;

/** `keys`: by the key's own name in lower case (`j`, `enter`, `?`), or `g q` for a sequence. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      const key = event.key.toLowerCase();
      const act = latest.current[isGoingAt(event) ? `g ${key}` : key];
      if (act === undefined) return;
      // A button or a link has its own Enter.
      if (key === 'enter' && document.activeElement?.matches('a, button, summary') === true) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Begins a sequence on G. Mounted once, before any page listens. */
export function useSequences(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      // The letter after G is seen by every listener before the sequence ends.
      if (isGoingAt(event)) return void setTimeout(end, 0, begun);
      if (event.key.toLowerCase() !== 'g') return;
      clearTimeout(goingUntil);
      begun = event;
      goingUntil = setTimeout(end, SEQUENCE_MS, event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** Ends that sequence, unless another one has begun since. */
function end(sequence: KeyboardEvent): void {
  if (begun !== sequence) return;
  clearTimeout(goingUntil);
  begun = null;
}

function isShortcut({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return false;
  if (!currentPreferences().hasKeys || document.querySelector('[role="dialog"], [role="menu"]') !== null) return false;
  return !(target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null);
}
