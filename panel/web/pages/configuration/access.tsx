// Who may call for each operation: keys and their ages, networks, webhook secrets, certificates with their ends.
import { useWords } from '../../preferences.js';
import { Facts, TableBox, TableHead } from '../../ui/facts.js';
import { Age, Instant, useNow } from '../../ui/time.js';
import { accessWords } from '../../words/access.js';
import { OperationActs, RevokeKey } from './operation-acts.js';
import { type Operation, Operations } from './operations.js';

export function AccessPage() {
  const words = useWords(accessWords).page;
  return (
    <Operations title={words.title} note={words.howTo}>
      {(operation) => (
        <>
          <Facts
            of={[
              [words.provider, operation.provider],
              [
                words.networks,
                operation.networks.length === 0 ? (
                  words.anyNetwork
                ) : (
                  <code key="networks">{operation.networks.join(', ')}</code>
                ),
              ],
              operation.provider_paused_at === null
                ? null
                : [words.paused, <Instant key="paused" at={operation.provider_paused_at} zone={operation.time_zone} />],
              operation.automatic_stopped_at === null
                ? null
                : [
                    words.stopped,
                    <Instant key="stopped" at={operation.automatic_stopped_at} zone={operation.time_zone} />,
                  ],
            ]}
          />
          <OperationActs operation={operation} />
          <Keys of={operation} />
          <Secrets of={operation} />
          <Certificates of={operation} />
          {operation.has_older && <p className="quiet">{words.older}</p>}
        </>
      )}
    </Operations>
  );
}

interface OperationProps {
  readonly of: Operation;
}

const ROTATION_TONES: Readonly<Record<string, string>> = { due: 'wait', overdue: 'bad', ended: 'plain' };

function Keys({ of: { name, keys, time_zone: zone } }: OperationProps) {
  const { page: words, scopeNames } = useWords(accessWords);
  return (
    <>
      <h3>{words.keys}</h3>
      {keys.length === 0 ? (
        <p className="quiet">{words.noKeys}</p>
      ) : (
        <TableBox label={`${words.keys}: ${name}`}>
          <TableHead
            of={[words.key, words.scopes, words.created, words.firstUse, words.expires, words.rotation, words.action]}
          />
          <tbody>
            {keys.map((key) => (
              <tr key={key.key_id}>
                <td>
                  <code>{key.key_id}</code>
                </td>
                <td>{key.scopes.map((scope) => scopeNames[scope]).join(', ')}</td>
                <td>
                  <Age since={key.created_at} />
                </td>
                <td>{key.first_used_at === null ? words.never : <Age since={key.first_used_at} />}</td>
                <td>{key.expires_at === null ? '—' : <Instant at={key.expires_at} zone={zone} />}</td>
                <td className="whole">
                  <span className={`chip chip-${ROTATION_TONES[key.rotation] ?? 'good'}`}>
                    {words.rotations[key.rotation] ?? key.rotation}
                  </span>
                </td>
                <td>{key.revoked_at === null && <RevokeKey keyId={key.key_id} />}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </>
  );
}

function Secrets({ of: { webhook_secrets: secrets, time_zone: zone } }: OperationProps) {
  const words = useWords(accessWords).page;
  return (
    <>
      <h3>{words.secrets}</h3>
      {secrets.length === 0 ? (
        <p className="quiet">{words.noSecrets}</p>
      ) : (
        <ul className="rows">
          {secrets.map(({ created_at: created, expires_at: expires }) => (
            <li key={created}>
              <span>
                {words.secretCreated} <Age since={created} />
              </span>
              {expires !== null && (
                <span className="quiet">
                  {words.expires} <Instant at={expires} zone={zone} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Certificates({ of: { certificates, time_zone: zone } }: OperationProps) {
  const words = useWords(accessWords).page;
  const now = useNow();
  return (
    <>
      <h3>{words.certificates}</h3>
      {certificates.length === 0 ? (
        <p className="quiet">{words.noCertificates}</p>
      ) : (
        <ul className="rows">
          {certificates.map(({ serial, not_after: until, renew_from: renewFrom, revoked_at: revoked }) => (
            <li key={serial}>
              <span>
                {words.serial} <code>{serial}</code>
              </span>
              <span className="quiet">
                {words.validUntil} <Instant at={until} zone={zone} />
              </span>
              {revoked === null && (
                <span className={Date.parse(renewFrom) > now ? 'quiet' : 'chip chip-wait'}>
                  {words.renewFrom} <Instant at={renewFrom} zone={zone} />
                </span>
              )}
              {revoked !== null && <span className="chip chip-bad">{words.revoked}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
