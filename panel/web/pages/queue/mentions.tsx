// What colleagues wrote to this person on cases. Renders nothing while there is nothing.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { READERS } from '../../api/endpoints.js';
import { readList } from '../../api/queries.js';
import { holds, useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { Section } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Words } from '../../ui/theirs.js';
import { Age } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { workTexts } from '../../texts/work.js';

/** A note is no event, so the stream does not report it. */
const READ_EVERY_MS = 15_000;

export function Mentions() {
  const texts = useTexts(workTexts);
  const { title } = useTexts(caseTexts);
  const { kinds } = useTexts(commonTexts);
  const money = useMoney();
  const session = useSession();
  const { data } = useQuery({
    ...readList('readMentions', {}),
    enabled: holds(session, READERS.mentions),
    refetchInterval: READ_EVERY_MS,
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={texts.mentions}>
      <ul className="decisions">
        {data.items.map(({ payment_id: id, kind, operation, amount, person, text, at }) => (
          <li key={id}>
            <Link to="/cases/$id" params={{ id }}>
              {title(kinds[kind], money(amount))}
            </Link>{' '}
            <span className="quiet">
              {operation.name} · {person} · <Age since={at} />
            </span>
            <Words text={`“${text}”`} />
          </li>
        ))}
      </ul>
      <p className="quiet">{data.more ? texts.moreMentions : texts.mentionsHint}</p>
    </Section>
  );
}
