// Leads from a hit of the search to the page that shows it.
import { Link, linkOptions, type LinkOptions } from '@tanstack/react-router';
import type { Hit, Lead } from '../../../../contract/panel/schemas/payments.js';
import { useTexts } from '../../preferences.js';
import { searchTexts } from '../../texts/search.js';

/** The id alone where no page shows it, or none that the person may open; then with the name of that page. */
export function HitLink({ hit: { id, leads_to: lead, closed_page: closed } }: { readonly hit: Hit }) {
  const { closedPages } = useTexts(searchTexts);
  const text = <code>{id}</code>;
  if (lead !== null)
    return (
      <Link {...targetOf(lead)} data-row>
        {text}
      </Link>
    );
  return (
    <>
      {text}
      {closed !== null && <div className="quiet">{closedPages[closed]}</div>}
    </>
  );
}

function targetOf(lead: Lead): LinkOptions {
  switch (lead.page) {
    case 'payment':
      return linkOptions({ to: '/payments/$id', params: { id: lead.id } });
    case 'player':
      return linkOptions({ to: '/players/$operation/$ref', params: { operation: lead.operation, ref: lead.ref } });
    case 'rule_change':
      return linkOptions({ to: '/rule-changes/$id', params: { id: lead.id } });
    case 'alert':
      return linkOptions({ to: '/alerts', search: { id: lead.id } });
    case 'access':
      return linkOptions({ to: '/access', search: { operation: lead.operation } });
    case 'money':
      return linkOptions({ to: '/money', search: { operation: lead.operation } });
    case 'approvals':
      return linkOptions({ to: '/approvals' });
    case 'audit':
      return linkOptions({ to: '/audit', search: { subject: lead.subject } });
  }
}
