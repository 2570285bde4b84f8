// Leads to the page of a payment or a change of rules, wherever an id may be one of them or of something else. Every
// person of the staff may open both pages.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ObjectLinkProps {
  readonly id: string | null;
  readonly children: ReactNode;
}

/** The text alone where the id has no page. */
export function ObjectLink({ id, children }: ObjectLinkProps) {
  const to = id === null ? null : pageOf(id);
  if (id === null || to === null) return children;
  return (
    <Link to={to} params={{ id }}>
      {children}
    </Link>
  );
}

function pageOf(id: string) {
  if (/^(dep|wdr)_/.test(id)) return '/payments/$id';
  return id.startsWith('chg_') ? '/rule-changes/$id' : null;
}
