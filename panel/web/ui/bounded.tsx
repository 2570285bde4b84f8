// Many texts of somebody outside in a box that scrolls: together, too, they move nothing of what is decided.
import type { ReactNode } from 'react';

interface BoundedProps {
  readonly label: string;
  /** How many there are. */
  readonly count: number;
  readonly children: ReactNode;
}

/** What a page shows of them without a box. */
const MOST_WITHOUT_BOX = 4;

export function Bounded({ label, count, children }: BoundedProps) {
  if (count <= MOST_WITHOUT_BOX) return children;
  return (
    <div className="bounded" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
