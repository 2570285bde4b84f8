// What people stop at once in an operation, release again, and request: a button for each, by role and by state.
import { type ReactNode, useState } from 'react';
import type { Scope } from '../../../../contract/http/route.js';
import type { StaffActKind } from '../../../../domain/staff.js';
import { ask } from '../../api/client.js';
import { useTexts } from '../../preferences.js';
import { useIsShown, useWhyNot } from '../../ui/why-not.js';
import { WhyButton } from '../../ui/why-button.js';
import { accessTexts } from '../../texts/access.js';
import { caseTexts } from '../../texts/case.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { ActDialog, type ActDialogProps } from './act-dialog.js';
import type { Operation } from './operations.js';

interface Offer {
  readonly asks: StaffActKind;
  readonly isOffered: (operation: Operation) => boolean;
  readonly dialog: (props: DialogProps) => ReactNode;
  readonly isStop?: true;
}

interface DialogProps {
  readonly operation: Operation;
  readonly onClose: () => void;
}

const OFFERS = {
  stop_automatic: {
    asks: 'automatic.stop',
    isOffered: ({ automatic_stopped_at: stopped }) => stopped === null,
    dialog: (props) => <Stop what="automatic" name="stop_automatic" {...props} />,
    isStop: true,
  },
  resume_automatic: {
    asks: 'automatic.resume',
    isOffered: ({ automatic_stopped_at: stopped }) => stopped !== null,
    dialog: (props) => <Resume kind="automatic_resume" name="resume_automatic" {...props} />,
  },
  suspend: {
    asks: 'operation.suspend',
    isOffered: ({ status }) => status === 'active',
    dialog: (props) => <Stop what="operation" name="suspend" {...props} />,
    isStop: true,
  },
  resume: {
    asks: 'operation.resume',
    isOffered: ({ status }) => status !== 'active',
    dialog: (props) => <Resume kind="resume" name="resume" {...props} />,
  },
  ask_key: { asks: 'key.request', isOffered: () => true, dialog: (props) => <AskKey {...props} /> },
  set_networks: { asks: 'allowlist.request', isOffered: () => true, dialog: (props) => <SetNetworks {...props} /> },
  set_webhook: { asks: 'operation.webhook', isOffered: () => true, dialog: (props) => <SetWebhook {...props} /> },
  rotate_secret: {
    asks: 'webhook_secret.rotate',
    isOffered: () => true,
    dialog: (props) => <RotateSecret {...props} />,
  },
} as const satisfies Readonly<Record<string, Offer>>;
type OfferName = keyof typeof OFFERS;

interface OperationActsProps {
  readonly operation: Operation;
  /** Limits the buttons to these acts; without it all are shown. */
  readonly only?: readonly OfferName[];
}

export function OperationActs({ operation, only = Object.keys(OFFERS) as OfferName[] }: OperationActsProps) {
  const { acts } = useTexts(accessTexts);
  const whyNot = useWhyNot(operation.id);
  const isShown = useIsShown(operation.id);
  const [chosen, setChosen] = useState<OfferName | null>(null);
  const offered = only.filter((name) => OFFERS[name].isOffered(operation) && isShown(OFFERS[name].asks));
  return (
    <>
      <div className="buttons">
        {offered.map((name) => {
          const { asks, isStop }: Offer = OFFERS[name];
          return (
            <WhyButton
              key={name}
              why={whyNot(asks)}
              tone={isStop === true ? 'bad' : 'plain'}
              onAct={() => setChosen(name)}
            >
              {acts[name].button}
            </WhyButton>
          );
        })}
      </div>
      {chosen !== null && OFFERS[chosen].dialog({ operation, onClose: () => setChosen(null) })}
    </>
  );
}

interface NamedProps extends DialogProps {
  readonly name: OfferName;
}

function Stop({ operation: { id, name: of }, what, name, onClose }: NamedProps & { what: 'operation' | 'automatic' }) {
  const { button, text } = useTexts(accessTexts).acts[name];
  const send = (reason: GivenReason) => ask('stopOperation', { params: { operation: id }, body: { what, ...reason } });
  return <StopDialog title={`${button} · ${of}`} text={text} button={button} send={send} onClose={onClose} />;
}

/** What the audit trail keeps, if a person says why. */
type GivenReason = { readonly reason?: string };

interface StopDialogProps extends Pick<ActDialogProps, 'title' | 'text' | 'button' | 'onClose'> {
  readonly send: (reason: GivenReason) => ReturnType<ActDialogProps['send']>;
}

/** The dialog of a stop: it asks why, and a stop in a hurry goes without an answer. */
function StopDialog({ send, ...dialog }: StopDialogProps) {
  const { reason: label, reasonTooShort } = useTexts(caseTexts);
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  return (
    <ActDialog
      {...dialog}
      needsTwo={false}
      isDestructive
      why={reason !== '' && isShort(reason) ? reasonTooShort : null}
      send={() => send(reason === '' ? {} : { reason })}
    >
      <ReasonField label={label} value={typed} onChange={setTyped} isOptional />
    </ActDialog>
  );
}

function Resume({
  operation: { id, name: of },
  kind,
  name,
  onClose,
}: NamedProps & { kind: 'resume' | 'automatic_resume' }) {
  const { button, text } = useTexts(accessTexts).acts[name];
  const send = () => ask('changeOperation', { params: { operation: id }, body: { kind } });
  return <ActDialog title={`${button} · ${of}`} text={text} button={button} needsTwo send={send} onClose={onClose} />;
}

function AskKey({ operation: { id, name }, onClose }: DialogProps) {
  const texts = useTexts(accessTexts);
  const { button, text } = texts.acts.ask_key;
  const every = Object.keys(texts.scopeNames) as Scope[];
  const [scopes, setScopes] = useState<readonly Scope[]>(every);
  const send = () => ask('changeOperation', { params: { operation: id }, body: { kind: 'key', scopes: [...scopes] } });
  return (
    <ActDialog
      title={`${button} · ${name}`}
      text={text}
      button={button}
      needsTwo
      why={scopes.length > 0 ? null : texts.noScopes}
      send={send}
      onClose={onClose}
    >
      <fieldset>
        <legend>{texts.scopes}</legend>
        {every.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(every.filter((one) => (one === scope ? target.checked : scopes.includes(one))))
              }
            />
            {texts.scopeNames[scope]} <code>{scope}</code>
          </label>
        ))}
      </fieldset>
    </ActDialog>
  );
}

function SetNetworks({ operation: { id, name, networks }, onClose }: DialogProps) {
  const texts = useTexts(accessTexts);
  const { button, text } = texts.acts.set_networks;
  // A colleague's concurrent change must not be undone unseen.
  const [seen] = useState(networks);
  const [typed, setTyped] = useState(seen.join('\n'));
  const asked = typed.split(/\s+/).filter((line) => line !== '');
  const send = () =>
    ask('changeOperation', { params: { operation: id }, body: { kind: 'allowlist', networks: asked, seen } });
  return (
    <ActDialog
      title={`${button} · ${name}`}
      text={text}
      button={button}
      needsTwo
      why={asked.join() === seen.join() ? texts.sameNetworks : null}
      send={send}
      onClose={onClose}
    >
      <label>
        {texts.networks}
        <textarea rows={5} value={typed} spellCheck={false} onChange={({ target }) => setTyped(target.value)} />
      </label>
    </ActDialog>
  );
}

function SetWebhook({ operation: { id, name, webhook_url: url }, onClose }: DialogProps) {
  const texts = useTexts(accessTexts);
  const { button, text } = texts.acts.set_webhook;
  const [typed, setTyped] = useState(url ?? '');
  const asked = typed.trim();
  return (
    <ActDialog
      title={`${button} · ${name}`}
      text={text}
      button={button}
      needsTwo
      why={asked === '' || asked === url ? texts.sameAddress : null}
      send={() => ask('changeOperation', { params: { operation: id }, body: { kind: 'webhook', url: asked } })}
      onClose={onClose}
    >
      <label>
        {texts.page.endpoint}
        <input
          type="url"
          value={typed}
          maxLength={2048}
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
    </ActDialog>
  );
}

function RotateSecret({ operation: { id, name }, onClose }: DialogProps) {
  const texts = useTexts(accessTexts);
  const { button, text } = texts.acts.rotate_secret;
  const [hasLeaked, setLeaked] = useState(false);
  const body = { kind: 'webhook_secret', revoke_earlier: hasLeaked } as const;
  return (
    <ActDialog
      title={`${button} · ${name}`}
      text={text}
      button={button}
      needsTwo={false}
      send={() => ask('changeOperation', { params: { operation: id }, body })}
      onClose={onClose}
    >
      <p className="quiet">{texts.secretNeedsTwo}</p>
      <label>
        <input type="checkbox" checked={hasLeaked} onChange={({ target }) => setLeaked(target.checked)} />
        {texts.secretLeaked}
      </label>
    </ActDialog>
  );
}

/** The button that revokes a key which still works. */
export function RevokeKey({ keyId, operationId }: { readonly keyId: string; readonly operationId: string }) {
  const texts = useTexts(accessTexts);
  const whyNot = useWhyNot(operationId);
  const [isOpen, setOpen] = useState(false);
  const { button, text } = texts.acts.revoke_key;
  const title = texts.revokeOf(keyId);
  return (
    <>
      <WhyButton why={whyNot('key.revoke')} tone="bad" label={title} onAct={() => setOpen(true)}>
        {button}
      </WhyButton>
      {isOpen && (
        <StopDialog
          title={title}
          text={text}
          button={button}
          send={(reason) => ask('revokeKey', { params: { key: keyId }, body: reason })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
