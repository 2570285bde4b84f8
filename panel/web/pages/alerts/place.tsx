// The link from an alert to the act that it asks for, or that the panel has none.
import { Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { READERS } from '../../api/endpoints.js';
import { holds, useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { alertTexts } from '../../texts/alerts.js';

type Alert = Answered<'readAlerts'>['items'][number];
type PlaceName = NonNullable<Alert['place']>;

/** Who may open the place. */
const READERS_OF = {
  case: READERS.payments,
  payment: READERS.payments,
  suspense: READERS.money,
  money: READERS.money,
  webhooks: READERS.webhooks,
  access: READERS.access,
  staff: READERS.staff,
  audit: READERS.audit,
} as const satisfies Readonly<Record<PlaceName, unknown>>;

export function Place({ alert }: { readonly alert: Alert }) {
  const texts = useTexts(alertTexts);
  const session = useSession();
  const { place } = alert;
  if (place === null) return alert.resolved_at === null ? <p className="quiet">{texts.noPlace}</p> : null;
  if (!holds(session, READERS_OF[place])) return <p className="quiet">{texts.othersPlace}</p>;
  return (
    <p>
      <PlaceLink place={place} alert={alert} />
    </p>
  );
}

interface PlaceLinkProps {
  readonly place: PlaceName;
  readonly alert: Alert;
}

function PlaceLink({ place, alert: { object_id: id, operation: of } }: PlaceLinkProps) {
  const text = useTexts(alertTexts).places[place];
  const params = { id: id ?? '' };
  const search = of === null ? {} : { operation: of.id };
  switch (place) {
    case 'case':
      return (
        <Link to="/cases/$id" params={params}>
          {text}
        </Link>
      );
    case 'payment':
      return (
        <Link to="/payments/$id" params={params}>
          {text}
        </Link>
      );
    case 'suspense':
    case 'money':
      return (
        <Link to="/money" search={search}>
          {text}
        </Link>
      );
    case 'webhooks':
      return (
        <Link to="/webhooks" search={search}>
          {text}
        </Link>
      );
    case 'access':
      return (
        <Link to="/access" search={search}>
          {text}
        </Link>
      );
    case 'staff':
      return <Link to="/staff">{text}</Link>;
    case 'audit':
      return <Link to="/audit">{text}</Link>;
  }
}
