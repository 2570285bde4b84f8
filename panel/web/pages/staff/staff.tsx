// The people who may act, and what an admin takes away from them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { WhyButton } from '../../ui/why-button.js';
import { useOperationName } from '../../ui/operation-name.js';
import { shellTexts } from '../../texts/shell.js';
import { staffTexts } from '../../texts/staff.js';
import { type Person, TakeAway } from './take-away.js';

export function StaffPage() {
  const texts = useTexts(staffTexts);
  useTitle(texts.title);
  const query = useQuery(read('readStaff', {}));
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
        <p className="quiet">{texts.note}</p>
      </header>
      <Loaded query={query} lines={6}>
        {({ items, more, manages }) => {
          const person = items.find(({ handle }) => handle === chosen);
          return (
            <>
              <People items={items} manages={manages} onChoose={setChosen} />
              {more && <p className="quiet">{texts.more}</p>}
              {person !== undefined && <TakeAway person={person} onClose={() => setChosen(null)} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

interface PeopleProps {
  readonly items: readonly Person[];
  readonly manages: boolean;
  readonly onChoose: (handle: string) => void;
}

function People({ items, manages, onChoose }: PeopleProps) {
  const texts = useTexts(staffTexts);
  const heads = [texts.person, texts.roles, texts.passkeys, texts.sessions, texts.seen, texts.actions];
  return (
    <TableBox label={`${texts.title}: ${texts.people(items.length)}`}>
      <TableHead of={heads} />
      <tbody>
        {items.map((person) => (
          <tr key={person.handle}>
            <td>
              {person.handle} {person.disabled_at !== null && <span className="chip chip-bad">{texts.disabled}</span>}
              {person.account !== null && (
                <span className="chip" title={person.account}>
                  {texts.account}
                </span>
              )}
            </td>
            <td>
              <Roles of={person} />
            </td>
            <td>{person.passkeys}</td>
            <td>{person.sessions}</td>
            <td>{person.last_seen_at === null ? texts.never : <Instant at={person.last_seen_at} />}</td>
            <td>
              <TakeButton person={person} manages={manages} onChoose={onChoose} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function Roles({ of: { roles } }: { readonly of: Person }) {
  const operationName = useOperationName();
  const texts = useTexts(staffTexts);
  const { roles: names } = useTexts(shellTexts);
  if (roles.length === 0) return <span className="quiet">{texts.none}</span>;
  return (
    <ul className="plain">
      {roles.map(({ role, operation }) => (
        <li key={`${role} ${operation?.id ?? ''}`}>
          {names[role]}
          {operation !== null && <span className="quiet"> · {operationName(operation)}</span>}
        </li>
      ))}
    </ul>
  );
}

function TakeButton({ person, manages, onChoose }: Omit<PeopleProps, 'items'> & { readonly person: Person }) {
  const texts = useTexts(staffTexts);
  const whyNot = manages ? (person.kept === null ? null : texts.kept[person.kept]) : texts.notYours;
  return (
    <WhyButton why={whyNot} label={texts.manage(person.handle)} onAct={() => onChoose(person.handle)}>
      {texts.take}
    </WhyButton>
  );
}
