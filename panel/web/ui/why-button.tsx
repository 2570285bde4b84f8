// A button for an act. A disabled one stays in the tab order, greyed, with the reason next to it.
import { type ReactNode, useId } from 'react';

export interface WhyButtonProps {
  /** Why it cannot be used; `null` when it can. */
  readonly why: string | null;
  readonly onAct: () => void;
  readonly tone?: 'good' | 'bad' | 'plain';
  readonly shortcut?: string | undefined;
  /** Its name for screen readers, if the text alone is not enough. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function WhyButton({ why, onAct, tone = 'plain', shortcut, label, children }: WhyButtonProps) {
  const id = useId();
  return (
    <div className="act">
      <button
        type="button"
        className={`button button-${tone}`}
        aria-label={label}
        aria-disabled={why !== null}
        aria-describedby={why === null ? undefined : id}
        aria-keyshortcuts={shortcut}
        onClick={() => why === null && onAct()}
      >
        {children}
        {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
      </button>
      {why !== null && (
        <p id={id} className="act-why">
          {why}
        </p>
      )}
    </div>
  );
}

interface PossibleAct {
  readonly name: string;
  /** As a click does. */
  readonly press: () => void;
}

/**
 * The acts that the page offers now. One whose name stands there twice is left out: in a list of names nobody sees
 * which row it would be about.
 */
export function possibleActs(): readonly PossibleAct[] {
  const found = [...document.querySelectorAll<HTMLButtonElement>('#content .act > button[aria-disabled="false"]')].map(
    (button) => ({
      name: button.getAttribute('aria-label') ?? textOf(button),
      press: () => {
        button.focus();
        button.click();
      },
    }),
  );
  return found.filter(({ name }) => found.filter((other) => other.name === name).length === 1);
}

/** Without the key cap. */
function textOf(button: HTMLButtonElement): string {
  return [...button.childNodes]
    .filter((node) => !(node instanceof HTMLElement && node.ariaHidden === 'true'))
    .map((node) => node.textContent)
    .join('');
}
