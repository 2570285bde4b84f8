// Where the focus is after the page changed: at its content, or after the browser's Back at the link that was opened.
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/** Lists may be read again before their rows are there. */
const LOOKED_FOR_MS = 3_000;

/** Moves the focus when `path` changes: screen readers begin there. */
export function useFocusPlace(content: RefObject<HTMLElement | null>, path: string): void {
  const { history } = useRouter();
  const shown = useRef(path);
  const isReturn = useRef(false);
  /** The address of the link that was opened last, by the entry of the history that it was opened from. */
  const opened = useRef(new Map<string, string>());

  useEffect(() => {
    const entryOf = () => String(history.location.state.__TSR_key ?? history.location.href);
    const note = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a[href]') : null;
      const href = link?.getAttribute('href') ?? null;
      if (href !== null && content.current?.contains(link) === true) opened.current.set(entryOf(), href);
    };
    // Before the router follows the link. Enter on a link is a click, too.
    document.addEventListener('click', note, { capture: true });
    const stop = history.subscribe(({ action }) => {
      isReturn.current = action.type !== 'PUSH' && action.type !== 'REPLACE';
    });
    return () => {
      document.removeEventListener('click', note, { capture: true });
      stop();
    };
  }, [content, history]);

  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    const entry = String(history.location.state.__TSR_key ?? history.location.href);
    const href = isReturn.current ? opened.current.get(entry) : undefined;
    if (href !== undefined) return focusLink(content, href);
  }, [content, history, path]);
}

/** Looks for the link until it is there, or the reader has put the focus somewhere. Answers how to give up. */
function focusLink(content: RefObject<HTMLElement | null>, href: string): () => void {
  const end = performance.now() + LOOKED_FOR_MS;
  let frame = 0;
  const look = () => {
    const { activeElement: held } = document;
    if (held !== content.current && held !== document.body) return;
    const links = content.current?.querySelectorAll('a') ?? [];
    const link = [...links].find((one) => one.getAttribute('href') === href);
    if (link !== undefined) return link.focus();
    if (performance.now() < end) frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}
