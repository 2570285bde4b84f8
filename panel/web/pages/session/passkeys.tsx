// One's own passkeys: what signs in, and signs what money, access or rules follow.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { type Fault, faultOf } from '../../api/faults.js';
import { addPasskey } from '../../api/passkeys.js';
import { queryClient, read } from '../../api/queries.js';
import { sessionQuery, useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { TableBox } from '../../ui/facts.js';
import { Empty, FaultNotice, Loading } from '../../ui/states.js';
import { Instant } from '../../ui/time.js';
import { WhyButton } from '../../ui/why-button.js';
import { useTitle } from '../../ui/title.js';
import { shellWords } from '../../words/shell.js';
import { PasskeyForm } from './passkey-form.js';

const QUERY = read('readPasskeys', {});

export function PasskeysPage() {
  const { passkeys: words } = useWords(shellWords);
  useTitle(words.title);
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
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      {fault !== null && <FaultNotice fault={fault} />}
      {error !== null && <FaultNotice fault={faultOf(error)} />}
      {data === undefined && error === null && <Loading />}
      {data?.items.length === 0 && <Empty title={words.none} text={words.noneText} />}
      {data !== undefined && data.items.length > 0 && (
        <Passkeys items={data.items} onRemove={(id) => void change(() => ask('removePasskey', { params: { id } }))} />
      )}
      <h2>{words.another}</h2>
      {session.changes_passkeys ? (
        <PasskeyForm onName={(name) => change(() => addPasskey(name))} />
      ) : (
        <p>{words.notByProvider}</p>
      )}
    </>
  );
}

interface PasskeysProps {
  readonly items: Answered<'readPasskeys'>['items'];
  readonly onRemove: (id: string) => void;
}

function Passkeys({ items, onRemove }: PasskeysProps) {
  const { passkeys: words } = useWords(shellWords);
  return (
    <TableBox label={words.title}>
      <thead>
        <tr>
          <th scope="col">{words.device}</th>
          <th scope="col">{words.added}</th>
          <th scope="col">{words.used}</th>
          <th scope="col">{words.kept}</th>
          <th scope="col">{words.actions}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td>{item.name}</td>
            <td>
              <Instant at={item.created_at} />
            </td>
            <td>{item.last_used_at === null ? words.never : <Instant at={item.last_used_at} />}</td>
            <td>{item.is_synced ? words.synced : words.onDevice}</td>
            <td>
              <WhyButton
                why={item.is_removable ? null : words.lastOne}
                label={`${words.remove}: ${item.name}`}
                onAct={() => onRemove(item.id)}
              >
                {words.remove}
              </WhyButton>
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
