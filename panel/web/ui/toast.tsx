// A short message that stays when the page changes: what became of an act. Screen readers hear it.
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly text: string;
  readonly tone: 'good' | 'wait';
  /** The payment that it is about, with its name. */
  readonly payment?: { readonly id: string; readonly name: string };
  /** What may be done about it while the message is there. */
  readonly act?: { readonly text: string; readonly run: () => void };
}

const SHOWN_MS = 10_000;

let shown: Toast | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(toast: Toast | null): void {
  shown = toast;
  listeners.forEach((listener) => listener());
}

export function say(toast: Toast): void {
  clearTimeout(timer);
  timer = setTimeout(() => set(null), SHOWN_MS);
  set(toast);
}

export function ToastPlace() {
  const toast = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className="toast-place" role="status">
      {toast !== null && (
        <p className={`toast toast-${toast.tone}`}>
          {toast.text}
          {toast.payment !== undefined && (
            <>
              {' '}
              <Link to="/payments/$id" params={{ id: toast.payment.id }}>
                {toast.payment.name}
              </Link>
            </>
          )}
          {toast.act !== undefined && (
            <>
              {' '}
              <button type="button" className="button-quiet" onClick={toast.act.run}>
                {toast.act.text}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  );
}
