// Delivers the events of a span of time again.
import { useState } from 'react';
import type { Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { webhookTexts } from '../../texts/webhooks.js';
import type { Operation } from '../configuration/operations.js';

type Body = Asking<'redeliverRange'>['body'];

interface RedeliveryDialogProps {
  readonly operation: Operation;
  readonly onClose: () => void;
}

const MINUTE_MS = 60_000;
const FIRST_SPAN_MS = 60 * MINUTE_MS;

export function RedeliveryDialog({ operation: { id, name, failing }, onClose }: RedeliveryDialogProps) {
  const texts = useTexts(webhookTexts);
  const [from, setFrom] = useState(() => failing?.since ?? new Date(Date.now() - FIRST_SPAN_MS).toISOString());
  const [to, setTo] = useState(() => new Date(Date.now() + MINUTE_MS).toISOString());
  const [selection, setSelection] = useState<Body['selection']>('undelivered');
  const { state, send } = useAct((body: Body) => ask('redeliverRange', { params: { operation: id }, body }));
  const isSpan = from < to;
  const isReady = isSpan && (state.kind === 'idle' || state.kind === 'refused');
  const submit = async () => {
    const outcome = await send({ from, to, selection });
    if (outcome.kind !== 'done') return;
    const { events } = outcome.answer;
    say({ text: events === 0 ? texts.nothing : texts.scheduled(events), tone: events === 0 ? 'wait' : 'good' });
    await refreshShown();
    onClose();
  };
  return (
    <FormDialog
      title={`${texts.redeliver} · ${name}`}
      button={texts.send}
      state={state}
      isReady={isReady}
      why={isSpan ? null : texts.wrongSpan}
      onSend={submit}
      onClose={onClose}
      layout="fields"
    >
      <Moment label={texts.from} at={from} onChange={setFrom} />
      <Moment label={texts.to} at={to} onChange={setTo} />
      {isSpan && <p className="quiet">{texts.utc(from, to)}</p>}
      <label>
        {texts.selection}
        <select value={selection} onChange={({ target }) => setSelection(target.value as Body['selection'])}>
          {Object.entries(texts.selections).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <p className="quiet">{texts.explained}</p>
    </FormDialog>
  );
}

interface MomentProps {
  readonly label: string;
  /** RFC 3339 in UTC; shown and typed in the browser's zone. */
  readonly at: string;
  readonly onChange: (at: string) => void;
}

function Moment({ label, at, onChange }: MomentProps) {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        required
        defaultValue={localMinute(at)}
        onChange={({ target }) => {
          const moment = new Date(target.value);
          if (!Number.isNaN(moment.getTime())) onChange(moment.toISOString());
        }}
      />
    </label>
  );
}

function localMinute(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
