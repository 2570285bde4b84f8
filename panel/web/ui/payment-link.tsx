// Leads to the page of a payment, wherever an id may be one of a payment or of something else.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PaymentLinkProps {
  readonly id: string | null;
  readonly children: ReactNode;
}

/** The text alone where the id is of no payment. */
export function PaymentLink({ id, children }: PaymentLinkProps) {
  if (id === null || !/^(dep|wdr)_/.test(id)) return children;
  return (
    <Link to="/payments/$id" params={{ id }}>
      {children}
    </Link>
  );
}
