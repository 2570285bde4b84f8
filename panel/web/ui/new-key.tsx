// A new key. Its secret is shown once, and cannot be shown after this dialog closes.
import type { Answered } from '../../../contract/panel/routes.js';
import { useTexts } from '../preferences.js';
import { Copyable } from './copyable.js';
import { PanelDialog } from './dialog.js';
import { Facts } from './facts.js';
import { approvalTexts } from '../texts/approvals.js';

export type NewKeyAnswer = NonNullable<Answered<'decideApproval'>['key']>;

export function NewKey({ created, onClose }: { readonly created: NewKeyAnswer; readonly onClose: () => void }) {
  const texts = useTexts(approvalTexts);
  return (
    <PanelDialog title={texts.keyTitle} onClose={onClose} isStaying>
      <p>{texts.keyText}</p>
      <Facts
        of={[
          [texts.keyId, <Copyable key="id" text={created.key_id} />],
          [texts.secret, <Copyable key="secret" text={created.secret} />],
        ]}
      />
      <div className="buttons">
        <button type="button" className="button button-good" onClick={onClose}>
          {texts.kept}
        </button>
      </div>
    </PanelDialog>
  );
}
