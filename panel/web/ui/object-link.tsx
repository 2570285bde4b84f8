// Leads to the page of a payment or a change of rules, wherever an id may be one of them or of something else. The
// gateway's staff may open both pages, an operator's people none.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { READERS } from '../api/endpoints.js';
import { holds, useSession } from '../api/session.js';

interface ObjectLinkProps {
  readonly id: string | null;
  readonly children: ReactNode;
}

/** The text alone where the id has no page. */
export function ObjectLink({ id, children }: ObjectLinkProps) {
  const isStaff = holds(useSession(), READERS.payments);
  const to = id === null || !isStaff ? null : pageOf(id);
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
