// The work on a case: who has it, until when it waits, whether it is escalated, and what people noted. It decides
// nothing, and holds up no payment.
import { useState } from 'react';
import type { Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { queryClient, read, refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { caseTexts } from '../../texts/case.js';
import { workTexts } from '../../texts/work.js';
import { ActButton } from '../../ui/act-button.js';
import { Section } from '../../ui/facts.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { Theirs, Words } from '../../ui/theirs.js';
import { Instant } from '../../ui/time.js';
import { useAct } from '../../ui/use-act.js';
import { isShort, ReasonField } from './reason-field.js';
import type { Case, CaseProps } from './types.js';

type Body = Asking<'workOnCase'>['body'];
type Note = Case['work']['notes'][number];
type Opened = 'snooze' | 'escalate' | 'give' | 'ask' | 'answer';

const HOURS = [1, 4, 12, 24, 72] as const;

function useWork({ id }: Case) {
  const act = useAct((body: Body) => ask('workOnCase', { params: { id }, body }));
  const send = async (body: Body): Promise<boolean> => {
    const state = await act.send(body);
    if (state.kind === 'done') {
      const { queryKey } = read('readCase', { params: { id } });
      queryClient.setQueryData(queryKey, (shown) => (shown === undefined ? shown : { ...shown, ...state.answer }));
      act.reset();
    }
    await refreshShown();
    return state.kind === 'done';
  };
  return { state: act.state, send };
}

export function CaseWork({ case: shown }: CaseProps) {
  const texts = useTexts(workTexts);
  const { handle } = useSession();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { state, send } = useWork(shown);
  const { assigned_to: assignedTo, snoozed_until: snoozedUntil, is_escalated: isEscalated, may } = shown.work;
  const isOwn = assignedTo === handle;
  const wake = () => void send({ act: 'wake' });
  return (
    <Section title={texts.title}>
      <WorkMarks case={shown} />
      <div className="buttons">
        <ActButton
          possibility={may}
          onAct={() => void send({ act: 'assign', person: isOwn ? null : handle, seen: assignedTo })}
        >
          {isOwn ? texts.giveBack : texts.take}
        </ActButton>
        <ActButton possibility={may} onAct={() => setOpened('give')}>
          {texts.giveTo}
        </ActButton>
        <ActButton possibility={may} onAct={() => (snoozedUntil === null ? setOpened('snooze') : wake())}>
          {snoozedUntil === null ? texts.snooze : texts.wake}
        </ActButton>
        <ActButton possibility={may} onAct={() => setOpened('escalate')}>
          {isEscalated ? texts.deescalate : texts.escalate}
        </ActButton>
        <ActButton possibility={may} onAct={() => setOpened('ask')}>
          {texts.ask}
        </ActButton>
        {shown.work.is_asked && (
          <ActButton possibility={may} onAct={() => setOpened('answer')}>
            {texts.answer}
          </ActButton>
        )}
      </div>
      {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
      {may.possible && <NoteForm case={shown} />}
      <Notes of={shown.work.notes} zone={shown.operation.time_zone} />
      {opened === 'give' && <GiveDialog case={shown} onClose={() => setOpened(null)} />}
      {(opened === 'ask' || opened === 'answer') && (
        <TextDialog case={shown} act={opened} onClose={() => setOpened(null)} />
      )}
      {opened === 'snooze' && <SnoozeDialog case={shown} onClose={() => setOpened(null)} />}
      {opened === 'escalate' && <TextDialog case={shown} act="escalate" onClose={() => setOpened(null)} />}
    </Section>
  );
}

/** Who has it, until when it waits, and whether it is escalated. */
function WorkMarks({ case: { work, operation } }: CaseProps) {
  const texts = useTexts(workTexts);
  const { handle } = useSession();
  const { assigned_to: assignedTo, snoozed_until: snoozedUntil, is_escalated: isEscalated } = work;
  return (
    <p className="chips">
      <span className="chip chip-plain">
        {assignedTo === null ? texts.withNobody : assignedTo === handle ? texts.withYou : texts.with(assignedTo)}
      </span>
      {work.is_asked && <span className="chip chip-wait">{texts.asked}</span>}
      {isEscalated && <span className="chip chip-bad">{texts.escalated}</span>}
      {snoozedUntil !== null && (
        <span className="chip chip-wait">
          {texts.snoozed} <Instant at={snoozedUntil} zone={operation.time_zone} />
        </span>
      )}
    </p>
  );
}

function NoteForm({ case: shown }: CaseProps) {
  const texts = useTexts(workTexts);
  const [text, setText] = useState('');
  const { state, send } = useWork(shown);
  const submit = async () => {
    if (!isShort(text) && (await send({ act: 'note', text: text.trim() }))) setText('');
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ReasonField label={texts.note} value={text} onChange={setText} />
      <p className="hint">{texts.mentionHint}</p>
      {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
      <button type="submit" className="button" aria-disabled={isShort(text)}>
        {texts.addNote}
      </button>
    </form>
  );
}

function Notes({ of, zone }: { readonly of: readonly Note[]; readonly zone: string }) {
  const texts = useTexts(workTexts);
  if (of.length === 0) return <p className="quiet">{texts.none}</p>;
  return (
    <ul className="plain-list">
      {of.map(({ act, person, text, is_operators: isOperators, given_to: givenTo, waits_until: waitsUntil, at }) => (
        <li key={`${at} ${act} ${person}`}>
          <strong>{person}</strong> {isOperators ? texts.answeredByOperator : texts.acts[act]} {givenTo}
          {waitsUntil !== null && (
            <>
              {' '}
              {texts.until} <Instant at={waitsUntil} zone={zone} />
            </>
          )}
          {text !== null && <>: {isOperators ? <Theirs text={text} /> : <Words text={text} />}</>}{' '}
          <span className="quiet">
            <Instant at={at} zone={zone} />
          </span>
        </li>
      ))}
    </ul>
  );
}

type DialogProps = CaseProps & { readonly onClose: () => void };

function GiveDialog({ case: shown, onClose }: DialogProps) {
  const texts = useTexts(workTexts);
  const [person, setPerson] = useState('');
  const { state, send } = useWork(shown);
  const handle = person.trim().replace(/^@/, '');
  return (
    <FormDialog
      title={texts.giveTo}
      button={texts.giveTo}
      state={state}
      isReady={handle !== '' && state.kind !== 'sending'}
      onSend={async () => {
        if (await send({ act: 'assign', person: handle, seen: shown.work.assigned_to })) onClose();
      }}
      onClose={onClose}
    >
      <label className="field">
        {texts.handle}
        <input value={person} maxLength={64} onChange={({ target }) => setPerson(target.value)} />
        <span className="hint">{texts.handleHint}</span>
      </label>
    </FormDialog>
  );
}

function SnoozeDialog({ case: shown, onClose }: DialogProps) {
  const texts = useTexts(workTexts);
  const { reasonTooShort } = useTexts(caseTexts);
  const [hours, setHours] = useState<number>(HOURS[0]);
  const [text, setText] = useState('');
  const { state, send } = useWork(shown);
  return (
    <FormDialog
      title={texts.snoozeTitle}
      button={texts.snooze}
      state={state}
      isReady={!isShort(text) && state.kind !== 'sending'}
      why={isShort(text) ? reasonTooShort : null}
      onSend={async () => {
        if (await send({ act: 'snooze', hours, text: text.trim() })) onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.snoozeText}</p>
      <label className="field">
        {texts.forHowLong}
        <select value={hours} onChange={({ target }) => setHours(Number(target.value))}>
          {HOURS.map((choice) => (
            <option key={choice} value={choice}>
              {texts.hours(choice)}
            </option>
          ))}
        </select>
      </label>
      <ReasonField label={texts.why} value={text} onChange={setText} autoFocus />
    </FormDialog>
  );
}

interface TextDialogProps extends DialogProps {
  readonly act: 'escalate' | 'ask' | 'answer';
}

/** An act that is a line of text. */
function TextDialog({ case: shown, act, onClose }: TextDialogProps) {
  const texts = useTexts(workTexts);
  const { reasonTooShort } = useTexts(caseTexts);
  const [text, setText] = useState('');
  const { state, send } = useWork(shown);
  const { is_escalated: isEscalated } = shown.work;
  const said = {
    escalate: {
      title: isEscalated ? texts.deescalate : texts.escalate,
      text: texts.escalateText,
      label: texts.why,
    },
    ask: { title: texts.ask, text: texts.askText, label: texts.question },
    answer: { title: texts.answer, text: texts.answerText, label: texts.answered },
  }[act];
  return (
    <FormDialog
      title={said.title}
      button={said.title}
      state={state}
      isReady={!isShort(text) && state.kind !== 'sending'}
      why={isShort(text) ? reasonTooShort : null}
      onSend={async () => {
        const line = text.trim();
        const body = act === 'escalate' ? { act, is_escalated: !isEscalated, text: line } : { act, text: line };
        if (await send(body)) onClose();
      }}
      onClose={onClose}
    >
      <p>{said.text}</p>
      <ReasonField label={said.label} value={text} onChange={setText} autoFocus />
    </FormDialog>
  );
}
