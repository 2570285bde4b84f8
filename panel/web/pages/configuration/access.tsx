// Who may call for each operation: keys and their ages, networks, webhook secrets, certificates with their ends.
import { useTexts } from '../../preferences.js';
import { Facts, TableBox, TableHead } from '../../ui/facts.js';
import { Age, Instant, useNow } from '../../ui/time.js';
import { accessTexts } from '../../texts/access.js';
import { OperationActs, RevokeKey } from './operation-acts.js';
import { type Operation, Operations } from './operations.js';

export function AccessPage() {
  const texts = useTexts(accessTexts).page;
  return (
    <Operations title={texts.title} note={texts.howTo}>
      {(operation) => (
        <>
          <Facts
            of={[
              [texts.provider, operation.provider],
              [
                texts.networks,
                operation.networks.length === 0 ? (
                  texts.anyNetwork
                ) : (
                  <code key="networks">{operation.networks.join(', ')}</code>
                ),
              ],
              [
                texts.endpoint,
                operation.webhook_url === null ? texts.noEndpoint : <code key="endpoint">{operation.webhook_url}</code>,
              ],
              operation.provider_paused_at === null
                ? null
                : [texts.paused, <Instant key="paused" at={operation.provider_paused_at} zone={operation.time_zone} />],
              operation.automatic_stopped_at === null
                ? null
                : [
                    texts.stopped,
                    <Instant key="stopped" at={operation.automatic_stopped_at} zone={operation.time_zone} />,
                  ],
            ]}
          />
          <OperationActs operation={operation} />
          <Keys of={operation} />
          <Secrets of={operation} />
          <Certificates of={operation} />
          {operation.has_older && <p className="quiet">{texts.older}</p>}
        </>
      )}
    </Operations>
  );
}

interface OperationProps {
  readonly of: Operation;
}

const ROTATION_TONES: Readonly<Record<string, string>> = { due: 'wait', overdue: 'bad', ended: 'plain' };

function Keys({ of: { id, name, keys, time_zone: zone } }: OperationProps) {
  const { page: texts, scopeNames } = useTexts(accessTexts);
  return (
    <>
      <h3>{texts.keys}</h3>
      {keys.length === 0 ? (
        <p className="quiet">{texts.noKeys}</p>
      ) : (
        <TableBox label={`${texts.keys}: ${name}`}>
          <TableHead
            of={[texts.key, texts.scopes, texts.created, texts.firstUse, texts.expires, texts.rotation, texts.action]}
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
                <td>{key.first_used_at === null ? texts.never : <Age since={key.first_used_at} />}</td>
                <td>{key.expires_at === null ? '—' : <Instant at={key.expires_at} zone={zone} />}</td>
                <td className="whole">
                  <span className={`chip chip-${ROTATION_TONES[key.rotation] ?? 'good'}`}>
                    {texts.rotations[key.rotation] ?? key.rotation}
                  </span>
                </td>
                <td>{key.revoked_at === null && <RevokeKey keyId={key.key_id} operationId={id} />}</td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </>
  );
}

function Secrets({ of: { webhook_secrets: secrets, time_zone: zone } }: OperationProps) {
  const texts = useTexts(accessTexts).page;
  return (
    <>
      <h3>{texts.secrets}</h3>
      {secrets.length === 0 ? (
        <p className="quiet">{texts.noSecrets}</p>
      ) : (
        <ul className="rows">
          {secrets.map(({ created_at: created, expires_at: expires }) => (
            <li key={created}>
              <span>
                {texts.secretCreated} <Age since={created} />
              </span>
              {expires !== null && (
                <span className="quiet">
                  {texts.expires} <Instant at={expires} zone={zone} />
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
  const texts = useTexts(accessTexts).page;
  const now = useNow();
  return (
    <>
      <h3>{texts.certificates}</h3>
      {certificates.length === 0 ? (
        <p className="quiet">{texts.noCertificates}</p>
      ) : (
        <ul className="rows">
          {certificates.map(({ serial, not_after: until, renew_from: renewFrom, revoked_at: revoked }) => (
            <li key={serial}>
              <span>
                {texts.serial} <code>{serial}</code>
              </span>
              <span className="quiet">
                {texts.validUntil} <Instant at={until} zone={zone} />
              </span>
              {revoked === null && (
                <span className={Date.parse(renewFrom) > now ? 'quiet' : 'chip chip-wait'}>
                  {texts.renewFrom} <Instant at={renewFrom} zone={zone} />
                </span>
              )}
              {revoked !== null && <span className="chip chip-bad">{texts.revoked}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
