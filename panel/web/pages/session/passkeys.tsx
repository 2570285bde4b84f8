// One's own passkeys: what signs in, and signs what money, access or rules follow.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { type Fault, faultOf } from '../../api/faults.js';
import { addPasskey, removePasskey } from '../../api/passkeys.js';
import { queryClient, read } from '../../api/queries.js';
import { sessionQuery, useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { TableBox } from '../../ui/facts.js';
import { Empty, FaultNotice, Loading } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { WhyButton } from '../../ui/why-button.js';
import { useTitle } from '../../ui/title.js';
import { shellTexts } from '../../texts/shell.js';
import { PasskeyForm } from './passkey-form.js';
import { Sessions } from './sessions.js';

const QUERY = read('readPasskeys', {});

export function PasskeysPage() {
  const { passkeys: texts } = useTexts(shellTexts);
  useTitle(texts.title);
  const { data, error } = useQuery(QUERY);
  const session = useSession();
  const [fault, setFault] = useState<Fault | null>(null);
  const change = async (work: () => Promise<unknown>) => {
    setFault(null);
    await work().catch((failure: unknown) => setFault(faultOf(failure)));
    // With the first one, acts are signed; without any, they are typed again.
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: QUERY.queryKey }),
      queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ]);
  };
  const remove = async (id: string) => {
    await removePasskey(session, id);
    // Every session of the person has ended, this one too.
    location.assign('/sign-in');
  };
  return (
    <>
      <h1>{texts.title}</h1>
      <p>{texts.what}</p>
      {fault !== null && <FaultNotice fault={fault} />}
      {error !== null && <FaultNotice fault={faultOf(error)} />}
      {data === undefined && error === null && <Loading />}
      {data?.items.length === 0 && <Empty title={texts.none} text={texts.noneText} />}
      {data !== undefined && data.items.length > 0 && (
        <Passkeys items={data.items} onRemove={(id) => void change(() => remove(id))} />
      )}
      <h2>{texts.another}</h2>
      {session.changes_passkeys ? (
        <PasskeyForm onName={(name) => change(() => addPasskey(session, name))} />
      ) : (
        <p>{texts.notByProvider}</p>
      )}
      <Sessions />
    </>
  );
}

/** From when the passkey signs, and what a second person compares until then. */
function Signing({ of: { signs_from: from, signs_now: isSigning, fingerprint } }: { readonly of: Item }) {
  const { passkeys: texts } = useTexts(shellTexts);
  if (isSigning) return <>{texts.signsNow}</>;
  return (
    <>
      {from === null ? (
        texts.signsConfirmed
      ) : (
        <>
          {texts.signsFrom} <Instant at={from} />
          {texts.signsSooner}
        </>
      )}
      <details>
        <summary>{texts.fingerprint}</summary>
        <code>{fingerprint}</code>
      </details>
    </>
  );
}

type Item = Answered<'readPasskeys'>['items'][number];

interface PasskeysProps {
  readonly items: readonly Item[];
  readonly onRemove: (id: string) => void;
}

function Passkeys({ items, onRemove }: PasskeysProps) {
  const { passkeys: texts } = useTexts(shellTexts);
  return (
    <TableBox label={texts.title}>
      <thead>
        <tr>
          <th scope="col">{texts.device}</th>
          <th scope="col">{texts.signs}</th>
          <th scope="col">{texts.added}</th>
          <th scope="col">{texts.used}</th>
          <th scope="col">{texts.kept}</th>
          <th scope="col">{texts.actions}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td>{item.name}</td>
            <td>
              <Signing of={item} />
            </td>
            <td>
              <Instant at={item.created_at} />
            </td>
            <td>{item.last_used_at === null ? texts.never : <Instant at={item.last_used_at} />}</td>
            <td>{item.is_synced ? texts.synced : texts.onDevice}</td>
            <td>
              <WhyButton
                why={item.is_removable ? null : texts.lastOne}
                label={`${texts.remove}: ${item.name}`}
                onAct={() => onRemove(item.id)}
              >
                {texts.remove}
              </WhyButton>
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
