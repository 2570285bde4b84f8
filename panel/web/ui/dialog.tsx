// A dialog over the page: keeps the focus, closes on Escape, sends on Ctrl+Enter, gives the focus back.
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';
import { shellTexts } from '../texts/shell.js';

export interface PanelDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether it may be closed; for instance not while an act is under way. */
  readonly isStaying?: boolean;
  /** On Ctrl+Enter, wherever the focus is. */
  readonly onSend?: () => void;
  readonly children: ReactNode;
}

export function PanelDialog({ title, onClose, isStaying = false, onSend, children }: PanelDialogProps) {
  const texts = useTexts(shellTexts);
  useSending(() => onSend?.());
  useFocusBack();
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isKeyboardDismissDisabled={isStaying}
      onOpenChange={(open) => !open && !isStaying && onClose()}
    >
      <Modal className="modal">
        <Dialog className="dialog">
          <header className="dialog-head">
            <Heading slot="title">{title}</Heading>
            {!isStaying && (
              <button type="button" className="button-quiet" onClick={onClose} aria-label={texts.close}>
                ✕
              </button>
            )}
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface SendOrCancelProps {
  /** What sending does. */
  readonly text: string;
  readonly isReady: boolean;
  /** Why it cannot be sent as it is; `null` when it can, or is under way. */
  readonly why?: string | null;
  /** Of an act that takes something away. */
  readonly isDestructive?: boolean;
  readonly onCancel: () => void;
}

/** The buttons below a form in a dialog. */
export function SendOrCancel({ text, isReady, why = null, isDestructive = false, onCancel }: SendOrCancelProps) {
  const { cancel } = useTexts(commonTexts);
  const id = useId();
  return (
    <>
      {why !== null && (
        <p id={id} className="act-why">
          {why}
        </p>
      )}
      <div className="buttons">
        <button
          type="submit"
          className={isDestructive ? 'button button-bad' : 'button button-good'}
          aria-disabled={!isReady}
          aria-describedby={why === null ? undefined : id}
        >
          {text}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </>
  );
}

/** The last element outside any dialog from which one was opened. */
let opener: Element | null = null;

/**
 * The focus goes back to where a dialog was opened by itself. If that is gone, because the dialog followed another one
 * or the act took the button away, it goes to where the first one was opened, or to the content.
 */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (before?.closest('[role="dialog"]') === null) opener = before;
    return () =>
      afterRestoring(() => {
        if (document.activeElement !== document.body || opener === document.body) return;
        const isThere = opener?.isConnected === true;
        if (isThere && opener instanceof HTMLElement) opener.focus();
        else document.getElementById('content')?.focus({ preventScroll: true });
      });
  }, [before]);
}

/** The dialog's own restoring takes a frame. */
function afterRestoring(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

function useSending(send: () => void): void {
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      sendNow();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
