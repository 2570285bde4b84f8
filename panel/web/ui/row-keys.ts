// J and K in a table or list: the focus goes from one row's link to the next.
import { type RefObject, useEffect } from 'react';
import { usePreferences } from '../preferences.js';
import { useKeys } from './keys.js';

/** Every row has one element with `data-row`; a card is one itself. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const { hasKeys } = usePreferences();
  const move = (by: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  /** The first row is chosen until another one is: Enter opens it. */
  const openFirst = () => {
    if (document.activeElement !== document.body && document.activeElement?.id !== 'content') return;
    list.current?.querySelector<HTMLElement>('a[data-row]')?.click();
  };
  // Its first row looks chosen while nothing has the focus.
  useEffect(() => {
    list.current?.toggleAttribute('data-keys', hasKeys);
  });
  useKeys({ j: () => move(1), k: () => move(-1), enter: openFirst });
}
