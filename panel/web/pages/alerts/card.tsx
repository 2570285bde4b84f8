// One alert, and what a person does about it.
import { useState } from 'react';
import type { Answered, Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { AlertRecord } from '../../ui/alert-record.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { ObjectLink } from '../../ui/object-link.js';
import { Words } from '../../ui/theirs.js';
import { Age, Instant } from '../../ui/time.js';
import { useZones } from '../../ui/zones.js';
import { useAct } from '../../ui/use-act.js';
import { useOperationName } from '../../ui/operation-name.js';
import { alertTexts } from '../../texts/alerts.js';
import { commonTexts } from '../../texts/common.js';
import { caseTexts } from '../../texts/case.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { AssignButton } from './assign-button.js';
import { Place } from './place.js';

type Alert = Answered<'readAlerts'>['items'][number];
type Body = Asking<'actOnAlert'>['body'];

interface AlertProps {
  readonly alert: Alert;
}

export function AlertCard({ alert }: AlertProps) {
  const texts = useTexts(alertTexts);
  const operationName = useOperationName();
  const zoneOf = useZones();
  const { kind, operation, created_at: at, assigned_to: assignee, resolved_at: until } = alert;
  const own = texts.meanings?.[kind];
  return (
    <li className="section" data-row tabIndex={-1}>
      <header className="section-head">
        <h2>
          {texts.names[kind] ?? kind} <span className="quiet ref">{kind}</span>
        </h2>
        <span className="chips">
          <span className={until === null ? 'chip chip-bad' : 'chip chip-good'}>
            {until === null ? texts.open : texts.resolved}
          </span>
          {assignee !== null && <span className="chip chip-go">{texts.assignedTo(assignee)}</span>}
          <Age since={at} />
        </span>
      </header>
      <p className="quiet">
        {operationName(operation)} · <Instant at={at} zone={zoneOf(operation)} />
      </p>
      <About alert={alert} />
      <p>
        <AlertRecord alert={alert} isNamed />
      </p>
      <dl className="pairs">
        <dt>{texts.meaning}</dt>
        <dd lang={own === undefined ? 'en' : undefined}>{own?.meaning ?? alert.meaning}</dd>
        <dt>{texts.safeAction}</dt>
        <dd lang={own === undefined ? 'en' : undefined}>{own?.safeAction ?? alert.safe_action}</dd>
      </dl>
      <Place alert={alert} />
      {until === null ? <AlertActs alert={alert} /> : <Resolution alert={alert} />}
    </li>
  );
}

function About({ alert: { object_id: id } }: AlertProps) {
  const texts = useTexts(alertTexts);
  if (id === null) return null;
  return (
    <p>
      <span className="quiet">{texts.about}:</span>{' '}
      <ObjectLink id={id}>
        <code>{id}</code>
      </ObjectLink>
    </p>
  );
}

function Resolution({ alert: { resolved_by: by, resolution } }: AlertProps) {
  const texts = useTexts(alertTexts);
  return (
    <p>
      {by === null ? texts.resolvedItself : texts.resolvedBy(by)}
      {resolution !== null && (
        <>
          : <Words text={`“${resolution}”`} />
        </>
      )}
    </p>
  );
}

function AlertActs({ alert }: AlertProps) {
  const texts = useTexts(alertTexts);
  const { whyNot } = useTexts(commonTexts);
  const [isResolving, setResolving] = useState(false);
  const { possible, why_not: why } = alert.acts.assign;
  return (
    <>
      <div className="buttons">
        <AssignButton alert={alert} why={possible ? null : whyNot[why ?? 'other_state']} />
        {alert.lasts === 'incident' ? (
          <ActButton possibility={alert.acts.resolve} onAct={() => setResolving(true)}>
            {texts.resolve}
          </ActButton>
        ) : (
          <p className="quiet">{texts.condition}</p>
        )}
      </div>
      {isResolving && <ResolveDialog alert={alert} onClose={() => setResolving(false)} />}
    </>
  );
}

function ResolveDialog({ alert: { id }, onClose }: AlertProps & { readonly onClose: () => void }) {
  const texts = useTexts(alertTexts);
  const { reason: label, reasonTooShort } = useTexts(caseTexts);
  const [reason, setReason] = useState('');
  const { state, send } = useAct((body: Body) => ask('actOnAlert', { params: { id }, body }));
  const isReady = !isShort(reason) && state.kind === 'idle';
  const submit = async () => {
    const { kind } = await send({ act: 'resolve', reason: reason.trim() });
    await refreshShown();
    if (kind === 'done') onClose();
  };
  return (
    <FormDialog
      title={texts.resolveTitle}
      button={texts.resolve}
      state={state}
      isReady={isReady}
      why={isShort(reason) ? reasonTooShort : null}
      onSend={submit}
      onClose={onClose}
    >
      <p>{texts.resolveText}</p>
      <ReasonField label={label} value={reason} onChange={setReason} autoFocus />
    </FormDialog>
  );
}
