// A new webhook secret. It is shown once, and cannot be shown after this dialog closes.
import type { Answered } from '../../../contract/panel/routes.js';
import { useTexts } from '../preferences.js';
import { accessTexts } from '../texts/access.js';
import { approvalTexts } from '../texts/approvals.js';
import { Copyable } from './copyable.js';
import { PanelDialog } from './dialog.js';
import { Facts } from './facts.js';
import { Instant } from './time.js';

export type NewSecretAnswer = NonNullable<
  Extract<Answered<'changeOperation'>, { readonly status: 'done' }>['webhook_secret']
>;

interface NewSecretProps {
  readonly created: NewSecretAnswer;
  readonly onClose: () => void;
}

export function NewSecret({ created: { secret, previous_expires_at: until }, onClose }: NewSecretProps) {
  const texts = useTexts(accessTexts).newSecret;
  const { kept } = useTexts(approvalTexts);
  return (
    <PanelDialog title={texts.title} onClose={onClose} isStaying>
      <p>{texts.text}</p>
      <Facts
        of={[
          [texts.secret, <Copyable key="secret" text={secret} />],
          until === null ? null : [texts.earlierUntil, <Instant key="until" at={until} />],
        ]}
      />
      <div className="buttons">
        <button type="button" className="button button-good" onClick={onClose}>
          {kept}
        </button>
      </div>
    </PanelDialog>
  );
}
