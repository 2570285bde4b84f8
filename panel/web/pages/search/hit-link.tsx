// Leads from a hit of the search to the page that shows it.
import { Link, linkOptions, type LinkOptions } from '@tanstack/react-router';
import type { Hit } from '../../../../contract/panel/schemas/payments.js';
import { READERS } from '../../api/endpoints.js';
import { holds, useSession } from '../../api/session.js';

/** The id alone where no page shows it. */
export function HitLink({ hit }: { readonly hit: Hit }) {
  const session = useSession();
  const target = TARGETS[hit.type](hit, (page) => holds(session, READERS[page]));
  const id = <code>{hit.id}</code>;
  return target === null ? (
    id
  ) : (
    <Link {...target} data-row>
      {id}
    </Link>
  );
}

type MayRead = (page: 'approvals' | 'audit') => boolean;
type Target = (hit: Hit, mayRead: MayRead) => LinkOptions | null;

const TARGETS: Readonly<Record<Hit['type'], Target>> = {
  deposit: payment,
  withdrawal: payment,
  event: about,
  request: about,
  rule_change: ({ id }) => ruleChange(id),
  alert: ({ id }) => linkOptions({ to: '/alerts', search: { id } }),
  operation: access,
  key: access,
  cash_movement: ({ operation }) =>
    operation === null ? null : linkOptions({ to: '/money', search: { operation: operation.id } }),
  // What was decided is in the audit trail only.
  request_for_approval: ({ id, status }, mayRead) =>
    status === 'pending' && mayRead('approvals') ? linkOptions({ to: '/approvals' }) : audited(id, mayRead),
  act: (hit, mayRead) => about(hit) ?? audited(hit.object_id ?? hit.id, mayRead),
  // A payment that the rules refused was never stored, and players have no page of their own.
  refused_payment: () => null,
  player: () => null,
};

function payment({ payment_id: id }: Hit) {
  return id === null ? null : linkOptions({ to: '/payments/$id', params: { id } });
}

function ruleChange(id: string) {
  return linkOptions({ to: '/rule-changes/$id', params: { id } });
}

/** Its subject, if that has a page. */
function about(hit: Hit) {
  const { object_id: id } = hit;
  return id?.startsWith('chg_') === true ? ruleChange(id) : payment(hit);
}

function access({ operation }: Hit) {
  return operation === null ? null : linkOptions({ to: '/access', search: { operation: operation.id } });
}

function audited(subject: string, mayRead: MayRead) {
  return mayRead('audit') ? linkOptions({ to: '/audit', search: { subject } }) : null;
}
