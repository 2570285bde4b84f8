// Names and values side by side.
import type { ReactNode } from 'react';
import { Words } from './theirs.js';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ of }: { readonly of: readonly (Fact | null)[] }) {
  return (
    <dl className="facts">
      {of.map(
        (fact) =>
          fact !== null && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{typeof fact[1] === 'string' ? <Words text={fact[1]} /> : fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A part of a page with its heading. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <header className="section-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A table that may be wider than the screen: it scrolls on its own, also by keyboard. */
interface TableBoxProps {
  readonly label: string;
  /** In a narrow window each cell stands below the other, with its `data-column` before it. */
  readonly isStacked?: boolean;
  readonly children: ReactNode;
}

export function TableBox({ label, isStacked = false, children }: TableBoxProps) {
  return (
    <div className={isStacked ? 'table-box table-stacked' : 'table-box'} role="region" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

/** The names of a table's columns. */
interface TableHeadProps {
  readonly of: readonly string[];
  /** From this column on the cells are numbers; by default none is. */
  readonly numbersFrom?: number;
}

export function TableHead({ of, numbersFrom = of.length }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {of.map((text, column) => (
          <th key={text} scope="col" className={column >= numbersFrom ? 'number' : undefined}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}
