// What a page shows, and what can be done about it at its side. In one column what a person must have read before they
// act comes first, then the acts, then everything else.
import { type ReactNode, useSyncExternalStore } from 'react';

/** A phone, or a laptop at 200 % zoom; as in the styles. */
const narrow = matchMedia('(max-width: 60rem)');

interface TwoColumnsProps {
  /** Why something is to be done: nobody acts before it. */
  readonly first?: ReactNode;
  readonly children?: ReactNode;
  readonly side: ReactNode;
}

export function TwoColumns({ first, children, side }: TwoColumnsProps) {
  const isNarrow = useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
  const acts = (
    <div className="case-side" key="side">
      {side}
    </div>
  );
  // In the document, not in the styles: the focus and screen readers follow the document.
  return (
    <div className="case">
      {isNarrow ? (
        <>
          {first !== undefined && <div className="case-main">{first}</div>}
          {acts}
          <div className="case-main">{children}</div>
        </>
      ) : (
        <>
          <div className="case-main">
            {first}
            {children}
          </div>
          {acts}
        </>
      )}
    </div>
  );
}
