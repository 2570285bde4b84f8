// Where the hits of the search lead: to the page that shows each, if a role of the viewer's opens it there.
import type { Lead } from '../../../contract/panel/schemas/payments.js';
import { PANEL_ROUTES } from '../../../contract/panel/routes.js';
import { isReached, type Reach, reachOf } from '../../../domain/staff.js';
import { inboxReach, type Viewer } from '../../viewer.js';
import type { Hit } from '../find/find.js';

/** Pages that not all who search may open everywhere. */
type RestrictedPage = 'approvals' | 'audit';

export interface Leading {
  readonly leads_to: Lead | null;
  readonly closed_page: RestrictedPage | null;
}

const NOWHERE: Leading = { leads_to: null, closed_page: null };

/** Everybody who finds a payment, a change, an alert or an operation may open its page. */
const open = (lead: Lead): Leading => ({ leads_to: lead, closed_page: null });

export function leadOf(viewer: Viewer, hit: Hit): Leading {
  switch (hit.type) {
    case 'deposit':
    case 'withdrawal':
      return open({ page: 'payment', id: hit.id });
    case 'rule_change':
      return open({ page: 'rule_change', id: hit.id });
    case 'alert':
      return open({ page: 'alert', id: hit.id });
    case 'operation':
    case 'key':
      return hit.operation_id === null ? NOWHERE : open({ page: 'access', operation: hit.operation_id });
    case 'cash_movement':
      return hit.operation_id === null ? NOWHERE : open({ page: 'money', operation: hit.operation_id });
    case 'event':
    case 'item_return':
    case 'request':
      return aboutLead(hit.object_id) ?? NOWHERE;
    case 'request_for_approval':
      return hit.status === 'pending'
        ? restricted({ page: 'approvals' }, inboxReach(viewer, hit.details.kind), hit.operation_id)
        : audited(viewer, hit.id, hit.operation_id);
    case 'act':
      return aboutLead(hit.object_id) ?? audited(viewer, hit.object_id ?? hit.id, hit.operation_id);
    case 'player':
      return open({ page: 'player', operation: hit.operation_id, ref: hit.external_ref });
    // A payment that the rules refused was never stored.
    case 'refused_payment':
      return NOWHERE;
  }
}

function aboutLead(id: string | null): Leading | null {
  if (id === null) return null;
  if (/^(dep|wdr)_/.test(id)) return open({ page: 'payment', id });
  return id.startsWith('chg_') ? open({ page: 'rule_change', id }) : null;
}

/** What was decided is in the audit trail only. */
function audited({ roles }: Viewer, subject: string, operationId: string | null): Leading {
  return restricted({ page: 'audit', subject }, reachOf(roles, PANEL_ROUTES.readAudit.who), operationId);
}

function restricted(lead: Extract<Lead, { page: RestrictedPage }>, reach: Reach, operationId: string | null): Leading {
  return isReached(reach, operationId) ? open(lead) : { leads_to: null, closed_page: lead.page };
}
