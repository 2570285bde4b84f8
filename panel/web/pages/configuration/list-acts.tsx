// What a risk manager does with the lists: a value onto one, or off it.
import { useState } from 'react';
import type { Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { useWhyNot } from '../../ui/why-not.js';
import { WhyButton } from '../../ui/why-button.js';
import { rulesTexts } from '../../texts/rules.js';
import { isShort, ReasonField } from '../case/reason-field.js';

type Body = Asking<'changeList'>['body'];
type Change = Body['change'];

export function ListActs({ operation }: { readonly operation: string }) {
  const { listActs } = useTexts(rulesTexts);
  const whyNot = useWhyNot(operation);
  const [chosen, setChosen] = useState<Change | null>(null);
  return (
    <div className="buttons">
      {(['add', 'remove'] as const).map((change) => (
        <WhyButton key={change} why={whyNot('list.change')} tone="plain" onAct={() => setChosen(change)}>
          {listActs[change].button}
        </WhyButton>
      ))}
      {chosen !== null && <ListDialog operation={operation} change={chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}

interface ListDialogProps {
  readonly operation: string;
  readonly change: Change;
  readonly onClose: () => void;
}

function ListDialog({ operation, change, onClose }: ListDialogProps) {
  const texts = useTexts(rulesTexts);
  const { title, text } = texts.listActs[change];
  const [list, setList] = useState<Body['list']>('block');
  const [kind, setKind] = useState<Body['kind']>('player');
  const [value, setValue] = useState('');
  const [days, setDays] = useState('');
  const [reason, setReason] = useState('');
  const entry = { list, kind, value: value.trim() };
  const until = days.trim() === '' ? {} : { days: Number(days) };
  const body = change === 'add' ? { ...entry, change, reason, ...until } : { ...entry, change };
  const { state, send } = useAct(() => ask('changeList', { params: { operation }, body }));
  const isFilled = entry.value !== '' && (change === 'remove' || (!isShort(reason) && /^\d{0,4}$/.test(days.trim())));
  const submit = async () => {
    const outcome = await send(undefined);
    if (outcome.kind !== 'done') return;
    const { answer } = outcome;
    await refreshShown();
    const said =
      answer.status === 'requested'
        ? texts.listRequested(answer.request_id)
        : (answer.is_changed ? texts.listDone : texts.listSame)[change];
    say({ text: said, tone: 'good' });
    onClose();
  };
  return (
    <FormDialog
      title={title}
      button={title}
      state={state}
      isReady={isFilled && (state.kind === 'idle' || state.kind === 'refused')}
      onSend={submit}
      onClose={onClose}
      layout="fields"
    >
      <p>{text}</p>
      <Choice label={texts.list} of={texts.listNames} value={list} onChange={setList} />
      <Choice label={texts.kind} of={texts.kindNames} value={kind} onChange={setKind} />
      <label>
        {texts.entryValue}
        <input value={value} maxLength={256} spellCheck={false} onChange={({ target }) => setValue(target.value)} />
      </label>
      {change === 'add' && (
        <>
          <label>
            {texts.days}
            <input value={days} inputMode="numeric" maxLength={4} onChange={({ target }) => setDays(target.value)} />
          </label>
          <ReasonField label={texts.why} value={reason} onChange={setReason} />
        </>
      )}
    </FormDialog>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly of: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, of, value, onChange }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {(Object.entries(of) as [Value, string][]).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
