// The dialog of an act that a person gives a reason for: its fields, what is wrong with them, and what became of it.
import type { ReactNode } from 'react';
import { useTexts } from '../../preferences.js';
import { PanelDialog } from '../../ui/dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { commonTexts } from '../../texts/common.js';
import { Now } from '../case/now.js';
import type { FormAct } from './use-form-act.js';

export interface ActFormProps {
  readonly title: string;
  readonly form: FormAct;
  /** The label of the button that sends. */
  readonly send: string;
  readonly tone: 'good' | 'bad';
  /** The label of the button that closes it once the act was refused. */
  readonly seen: string;
  /** The text while the outcome is unknown. */
  readonly unknown: string;
  /** What is shown instead, and lets the person send again. */
  readonly looking?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ActForm({ title, form, unknown, looking, onClose, children, ...buttons }: ActFormProps) {
  const { state, problems, submit } = form;
  return (
    <PanelDialog title={title} isStaying={state.kind === 'sending'} onClose={onClose} onSend={() => void submit()}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        {problems.map((problem) => (
          <p key={problem} className="problem" role="alert">
            {problem}
          </p>
        ))}
        {state.kind === 'unknown' && looking !== undefined
          ? looking
          : (state.kind === 'refused' || state.kind === 'unknown') && (
              <FaultNotice fault={state.fault}>
                {state.kind === 'unknown' && <p>{unknown}</p>}
                <Now fault={state.fault} />
              </FaultNotice>
            )}
        <Buttons {...buttons} form={form} isLookedFor={looking !== undefined} onClose={onClose} />
      </form>
    </PanelDialog>
  );
}

interface ButtonsProps extends Pick<ActFormProps, 'form' | 'send' | 'tone' | 'seen' | 'onClose'> {
  readonly isLookedFor: boolean;
}

function Buttons({ form, send, tone, seen, isLookedFor, onClose }: ButtonsProps) {
  const { cancel, sending } = useTexts(commonTexts);
  const { state, isOpen, reset } = form;
  const isOver = state.kind === 'refused' || (state.kind === 'unknown' && !isLookedFor);
  const close = () => {
    if (isOver) reset();
    onClose();
  };
  if (isOver)
    return (
      <div className="buttons">
        <button type="button" className="button" onClick={close}>
          {seen}
        </button>
      </div>
    );
  const isSending = state.kind === 'sending';
  return (
    <div className="buttons">
      <button
        type="submit"
        className={`button button-${tone}`}
        aria-disabled={!isOpen}
        aria-keyshortcuts="Control+Enter"
      >
        {isSending ? sending : send}
        <kbd aria-hidden="true">Ctrl ↵</kbd>
      </button>
      <button type="button" className="button" aria-disabled={isSending} onClick={() => !isSending && close()}>
        {cancel}
      </button>
    </div>
  );
}
