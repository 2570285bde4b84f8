// One's own sessions, wherever they are: a person who does not know one of them ends it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { type Fault, faultOf } from '../../api/faults.js';
import { makeCommandCode } from '../../api/passkeys.js';
import { queryClient, read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { meansTexts } from '../../texts/means.js';
import { shellTexts } from '../../texts/shell.js';
import { TableBox } from '../../ui/facts.js';
import { FaultNotice, Loading } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { WhyButton } from '../../ui/why-button.js';

const QUERY = read('readSessions', {});

export function Sessions() {
  const { sessions: texts } = useTexts(shellTexts);
  const { names } = useTexts(meansTexts);
  const { data, error } = useQuery(QUERY);
  const [fault, setFault] = useState<Fault | null>(null);
  const end = async (id: string) => {
    setFault(null);
    await ask('endSession', { params: { id } }).catch((failure: unknown) => setFault(faultOf(failure)));
    await queryClient.invalidateQueries({ queryKey: QUERY.queryKey });
  };
  const shown = fault ?? (error === null ? null : faultOf(error));
  return (
    <>
      <h2>{texts.title}</h2>
      <p>{texts.what}</p>
      {shown !== null && <FaultNotice fault={shown} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <TableBox label={texts.title}>
          <thead>
            <tr>
              <th scope="col">{texts.means}</th>
              <th scope="col">{texts.began}</th>
              <th scope="col">{texts.seen}</th>
              <th scope="col">{texts.actions}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id, means, began_at: began, last_seen_at: seen, is_current: isCurrent }, index) => (
              <tr key={id}>
                <td>{names[means]}</td>
                <td>
                  <Instant at={began} />
                </td>
                <td>
                  <Instant at={seen} />
                </td>
                <td>
                  <WhyButton
                    why={isCurrent ? texts.current : null}
                    label={texts.endOf(index + 1)}
                    onAct={() => void end(id)}
                  >
                    {texts.end}
                  </WhyButton>
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
      <CommandCode />
    </>
  );
}

/** Signing in to the command, by a code that nobody else has seen. */
function CommandCode() {
  const { sessions: texts } = useTexts(shellTexts);
  const session = useSession();
  const [made, setMade] = useState<Answered<'makeCommandCode'> | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  if (!session.changes_passkeys) return null;
  const make = () => {
    setFault(null);
    void makeCommandCode(session).then(setMade, (failure: unknown) => setFault(faultOf(failure)));
  };
  return (
    <>
      <h2>{texts.command}</h2>
      <p>{texts.commandWhat}</p>
      {fault !== null && <FaultNotice fault={fault} />}
      {made !== null && (
        <pre role="status">
          <code>gateway staff login {made.sign_in_code}</code>
        </pre>
      )}
      <div className="buttons">
        <button type="button" className="button" onClick={make}>
          {texts.commandMake}
        </button>
      </div>
    </>
  );
}
