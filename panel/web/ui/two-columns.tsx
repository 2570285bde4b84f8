// What a page shows, and what can be done about it at its side. In one column that comes first: it is at hand without
// scrolling past everything that explains it.
import { type ReactNode, useSyncExternalStore } from 'react';

/** A phone, or a laptop at 200 % zoom; as in the styles. */
const narrow = matchMedia('(max-width: 60rem)');

interface TwoColumnsProps {
  readonly children: ReactNode;
  readonly side: ReactNode;
}

export function TwoColumns({ children, side }: TwoColumnsProps) {
  const isNarrow = useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
  const columns = [
    <div className="case-main" key="main">
      {children}
    </div>,
    <div className="case-side" key="side">
      {side}
    </div>,
  ];
  // In the document, not in the styles: the focus and screen readers follow the document.
  return <div className="case">{isNarrow ? columns.toReversed() : columns}</div>;
}
