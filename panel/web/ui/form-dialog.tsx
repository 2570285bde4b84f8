// A dialog with one act: a form that is sent once, says what went wrong, and stays until it has an answer.
import type { ReactNode } from 'react';
import { PanelDialog, SendOrCancel } from './dialog.js';
import { FaultNotice } from './states.js';
import type { ActState } from './use-act.js';

export interface FormDialogProps {
  readonly title: string;
  /** What sending does. */
  readonly button: string;
  readonly state: ActState<unknown>;
  /** Whether it can be sent as it is. */
  readonly isReady: boolean;
  /** Why it cannot be sent as it is; `null` when it can, or is under way. */
  readonly why?: string | null;
  /** Whether the act takes something away. */
  readonly isDestructive?: boolean;
  readonly onSend: () => Promise<void>;
  readonly onClose: () => void;
  /** Fields in a row, or in a column. */
  readonly layout?: 'fields' | 'form';
  readonly children: ReactNode;
}

export function FormDialog({ title, button, state, isReady, onSend, onClose, ...props }: FormDialogProps) {
  const { layout = 'form', why = null, isDestructive = false, children } = props;
  const submit = () => {
    if (isReady) void onSend();
  };
  return (
    <PanelDialog title={title} isStaying={state.kind === 'sending'} onSend={submit} onClose={onClose}>
      <form
        className={layout}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
        <SendOrCancel text={button} isReady={isReady} why={why} isDestructive={isDestructive} onCancel={onClose} />
      </form>
    </PanelDialog>
  );
}
