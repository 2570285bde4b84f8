// The people who may act, and what an admin takes away from them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../api/queries.js';
import { useWords } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Loaded } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { WhyButton } from '../../ui/why-button.js';
import { shellWords } from '../../words/shell.js';
import { staffWords } from '../../words/staff.js';
import { type Person, TakeAway } from './take-away.js';

export function StaffPage() {
  const words = useWords(staffWords);
  useTitle(words.title);
  const query = useQuery(read('readStaff', {}));
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <header className="page-head">
        <h1>{words.title}</h1>
        <p className="quiet">{words.note}</p>
      </header>
      <Loaded query={query} lines={6}>
        {({ items, more, manages }) => {
          const person = items.find(({ handle }) => handle === chosen);
          return (
            <>
              <People items={items} manages={manages} onChoose={setChosen} />
              {more && <p className="quiet">{words.more}</p>}
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
  const words = useWords(staffWords);
  const heads = [words.person, words.roles, words.passkeys, words.sessions, words.seen, words.actions];
  return (
    <TableBox label={`${words.title}: ${words.people(items.length)}`}>
      <TableHead of={heads} />
      <tbody>
        {items.map((person) => (
          <tr key={person.handle}>
            <td>
              {person.handle} {person.disabled_at !== null && <span className="chip chip-bad">{words.disabled}</span>}
              {person.account !== null && (
                <span className="chip" title={person.account}>
                  {words.account}
                </span>
              )}
            </td>
            <td>
              <Roles of={person} />
            </td>
            <td>{person.passkeys}</td>
            <td>{person.sessions}</td>
            <td>{person.last_seen_at === null ? words.never : <Instant at={person.last_seen_at} />}</td>
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
  const words = useWords(staffWords);
  const { roles: names } = useWords(shellWords);
  if (roles.length === 0) return <span className="quiet">{words.none}</span>;
  return (
    <ul className="plain">
      {roles.map(({ role, operation }) => (
        <li key={`${role} ${operation?.id ?? ''}`}>
          {names[role]}
          {operation !== null && <span className="quiet"> · {operation.name}</span>}
        </li>
      ))}
    </ul>
  );
}

function TakeButton({ person, manages, onChoose }: Omit<PeopleProps, 'items'> & { readonly person: Person }) {
  const words = useWords(staffWords);
  const whyNot = manages ? (person.kept === null ? null : words.kept[person.kept]) : words.notYours;
  return (
    <WhyButton why={whyNot} label={words.manage(person.handle)} onAct={() => onChoose(person.handle)}>
      {words.take}
    </WhyButton>
  );
}
